// CLI11's own help page neither wraps lines nor shows pairs like `--a | --no-a` readably.
#include "help.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace induce::cli {
namespace {

constexpr std::size_t kIndent = 26, kPageWidth = 96;

// Wraps `text` at the page width and indents all lines but the first. Keeps newlines.
std::string wrap(const std::string& text, std::size_t indent) {
  std::string out, word;
  std::size_t column = indent;
  const auto put = [&] {
    if (word.empty()) return;
    if (column > indent && column + 1 + word.size() > kPageWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    word.clear();
  };
  for (const char c : text) {
    if (c != ' ' && c != '\n') {
      word += c;
      continue;
    }
    put();
    if (c == '\n') {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
  }
  put();
  return out;
}

std::string entry(const std::string& name, const std::string& text) {
  std::string line = "  " + name;
  line +=
      line.size() + 2 > kIndent ? "\n" + std::string(kIndent, ' ') : std::string(kIndent - line.size(), ' ');
  return line + wrap(text, kIndent) + "\n";
}

std::string option_name(const CLI::Option& option) {
  std::string name;
  for (const std::string& s : option.get_snames()) name += (name.empty() ? "-" : ", -") + s;
  for (const std::string& l : option.get_lnames()) {
    const bool opposite = l.starts_with("no-") || l.starts_with("fixed-");
    name += (name.empty() ? "--" : opposite ? " | --" : ", --") + l;
  }
  if (option.get_type_size() != 0 && !option.get_option_text().empty())
    name += " " + option.get_option_text();
  return name;
}

std::string positional_name(const CLI::Option& option) {
  return option.get_name(true) + (option.get_items_expected_max() > 1 ? "..." : "");
}

}  // namespace

std::string command_line_of(const CLI::App& parser) {
  const CLI::App* parent = parser.get_parent();
  return parent ? command_line_of(*parent) + " " + parser.get_name() : parser.get_name();
}

std::string HelpPage::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  std::ostringstream out;
  const auto positionals = app->get_options([](const CLI::Option* o) { return o->get_positional(); });
  const auto commands = app->get_subcommands([](const CLI::App*) { return true; });

  out << "usage: " << command_line_of(*app);
  for (const CLI::Option* option : positionals) out << " " << positional_name(*option);
  out << (commands.empty() ? " [options]" : " COMMAND ...") << "\n\n"
      << wrap(app->get_description(), 0) << "\n";

  if (!positionals.empty()) out << "\nArguments:\n";
  for (const CLI::Option* option : positionals)
    out << entry(positional_name(*option), option->get_description());

  if (!commands.empty()) out << "\nCommands:\n";
  for (const CLI::App* command : commands) {
    const std::string& text = command->get_description();
    out << entry(command->get_name(), text.substr(0, text.find('\n')));
  }

  std::vector<std::string> groups = app->get_groups();  // CLI11's own group, with --help, goes last
  std::stable_partition(groups.begin(), groups.end(), [](const std::string& g) { return g != "Options"; });
  for (const std::string& group : groups) {
    const auto options = app->get_options(
        [&](const CLI::Option* o) { return !o->get_positional() && o->get_group() == group; });
    if (options.empty()) continue;
    out << "\n" << group << ":\n";
    for (const CLI::Option* option : options) out << entry(option_name(*option), option->get_description());
  }
  if (!app->get_footer().empty()) out << "\n" << app->get_footer() << "\n";
  return out.str();
}

}  // namespace induce::cli
