// The command line: the bytes' lines are the words behind `induce`. Parsing must end in an asked-for page, a
// refusal with a text, or one chosen command; the options of a fit in an Error or in values that hold their
// promises.
#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/error.hpp>

#include "commands.hpp"
#include "describe/option_check.hpp"
#include "fit_arguments.hpp"
#include "resume.hpp"
#include "support/require.hpp"

namespace {

using induce::fuzz::require;
using Words = std::vector<std::string>;

Words lines_of(const std::uint8_t* data, std::size_t size) {
  Words words(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n')
      words.emplace_back();
    else if (data[i] != 0)  // no argument of a program can hold one
      words.back() += static_cast<char>(data[i]);
  }
  return words;
}

// False if the parser ended it.
bool parse(CLI::App& parser, const Words& words) {
  std::vector<const char*> pointers{"induce"};
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    parser.parse(static_cast<int>(pointers.size()), pointers.data());
    return true;
  } catch (const CLI::CallForHelp&) {
    require(!parser.help().empty(), "there is a help page");
  } catch (const CLI::Success&) {
  } catch (const CLI::ParseError& error) {
    require(error.what()[0] != '\0', "a refusal says why");
  }
  return false;
}

void parse_program(const Words& words) {
  CLI::App program;
  const auto commands = induce::cli::add_commands(program);
  if (!parse(program, words)) return;
  int chosen = 0;
  for (const auto& command : commands) chosen += command.parser->parsed();
  require(chosen == 1, "one command is chosen");
}

void parse_fit(const Words& words) {
  CLI::App parser;
  parser.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  induce::cli::FitArguments arguments;
  induce::cli::add_fit_arguments(parser, arguments);
  if (!parse(parser, words)) return;
  try {
    const induce::Options options = induce::cli::fit_options(parser, arguments);
    for (const induce::OptionEntry& entry : induce::option_table())
      require(induce::is_within_limits(entry, entry.get(options)), "an option is within its limits");
    require(!parser.count("--holdout") || (arguments.holdout > 0 && arguments.holdout < 1),
            "a fraction is one");
  } catch (const induce::Error& error) {
    require(error.fault() == induce::Fault::usage, "wrong options are wrong usage");
  }
}

// The words that a checkpoint brings along.
void restore_fit(const std::string& note) {
  CLI::App parser;
  induce::cli::FitArguments arguments;
  induce::cli::add_fit_arguments(parser, arguments);
  try {
    induce::cli::restore_arguments(parser, note, "input");
    induce::cli::fit_options(parser, arguments);
  } catch (const induce::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Words words = lines_of(data, size);
  if (words[0] == "resume" && words.size() > 1) {
    restore_fit(words[1]);
    return 0;
  }
  parse_program(words);
  if (words[0] == "fit") parse_fit({words.begin() + 1, words.end()});
  return 0;
}
