// The options, from the table that the program uses and from the parsers of the commands.
#include <map>

#include <CLI/CLI.hpp>

#include "internals.hpp"
#include "commands.hpp"
#include "describe/option_values.hpp"
#include "markdown.hpp"
#include "text/compose.hpp"

namespace induce::cli {
namespace {

std::string flags_of(const OptionEntry& entry) {
  std::vector<std::string> flags;
  for (const std::string_view flag : {entry.flag, entry.off})
    if (!flag.empty())
      flags.push_back(
          code(std::string(flag) + (entry.metavar.empty() ? "" : " " + std::string(entry.metavar))));
  return joined(flags);
}

std::string python_name(const OptionEntry& entry) {
  return code(entry.name) + (entry.name == "seed" ? " (Python: `random_state`)" : "");
}

std::string values_of(const OptionEntry& entry) {
  std::string text = limit_of(entry);
  if (entry.unset.python == "auto") text = "`auto`, or " + text;
  if (!entry.parts.empty()) {
    text += ":";
    for (const std::string_view part : entry.parts) text += " " + code(part);
  }
  if (!entry.needs.option.empty())
    text += "; only with " + code(std::string(entry.needs.option) +
                                  (entry.needs.value.empty() ? "" : " = " + std::string(entry.needs.value)));
  return text;
}

std::string effect_of(const OptionEntry& entry) {
  switch (entry.effect) {
    case OptionEffect::result:
      return "yes";
    case OptionEffect::length:
      return "only the length of the fit";
    case OptionEffect::none:
      return "no";
  }
  return "";
}

std::string choices_text(const OptionEntry& entry) {
  std::string text = "\n" + header({code(entry.name), "meaning"});
  for (const std::string& name : entry.choices.names())
    text += row({code(name), std::string(entry.choices.about(name))});
  return text;
}

std::string command_text(const CLI::App& parser, const std::string& name) {
  std::map<std::string, bool> in_table;
  for (const OptionEntry& entry : option_table())
    if (entry.on_command_line()) in_table[std::string(entry.first_flag())] = name == "fit";
  std::string text;
  for (const CLI::Option* option : parser.get_options()) {
    if (in_table[option->get_name()] || option->get_name() == "--help") continue;
    text += row({code(option->get_name(true, true) +
                      (option->get_option_text().empty() ? "" : " " + option->get_option_text())),
                 option->get_description()});
  }
  return text.empty() ? "" : "\n### `induce " + name + "`\n" + header({"option", "meaning"}) + text;
}

}  // namespace

std::string options_text() {
  std::string text;
  for (const OptionGroup group :
       {OptionGroup::method, OptionGroup::model, OptionGroup::budget, OptionGroup::output}) {
    text += "\n### " + std::string(name_of(group)) + "\n" +
            header({"option", "command line", "meaning", "values", "default", "affects result"});
    for (const OptionEntry& entry : option_table())
      if (entry.group == group)
        text += row({python_name(entry), flags_of(entry), std::string(entry.help), values_of(entry),
                     std::string(entry.default_text), effect_of(entry)});
    for (const OptionEntry& entry : option_table())
      if (entry.group == group && entry.choices.about) text += choices_text(entry);
  }
  return text;
}

std::string commands_text() {
  CLI::App program;
  std::string text;
  for (const Command& command : add_commands(program))
    text += command_text(*command.parser, command.parser->get_name());
  return text;
}

}  // namespace induce::cli
