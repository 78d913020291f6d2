// The command line: each line of the input is one argument of `induce`. Parsing must print a requested page, fail with
// a message, or select one command. The options of a fit must give an Error or be within their limits.
#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <induce/error.hpp>

#include "commands.hpp"
#include "describe/option_values.hpp"
#include "fit_arguments.hpp"
#include "resume.hpp"
#include "support/require.hpp"

namespace {

using induce::fuzz::require;
using Words = std::vector<std::string>;

Words arguments_from(const std::uint8_t* data, std::size_t size) {
  Words words(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n')
      words.emplace_back();
    else if (data[i] != 0)  // arguments cannot contain NUL
      words.back() += static_cast<char>(data[i]);
  }
  return words;
}

// False if there is no command to run.
bool parse(CLI::App& parser, const Words& words) {
  std::vector<const char*> pointers{"induce"};
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    parser.parse(static_cast<int>(pointers.size()), pointers.data());
    return true;
  } catch (const CLI::CallForHelp&) {
    require(!parser.help().empty(), "the help page is not empty");
  } catch (const CLI::Success&) {
  } catch (const CLI::ParseError& error) {
    require(error.what()[0] != '\0', "errors have a message");
  }
  return false;
}

void parse_program(const Words& words) {
  CLI::App program;
  const auto commands = induce::cli::add_commands(program);
  if (!parse(program, words)) return;
  int chosen = 0;
  for (const auto& command : commands) chosen += command.parser->parsed();
  require(chosen == 1, "one command is selected");
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
      require(induce::is_within_limits(entry, entry.get(options)), "options are within their limits");
    require(!parser.count("--holdout") || (arguments.holdout > 0 && arguments.holdout < 1),
            "--holdout is between 0 and 1");
  } catch (const induce::Error& error) {
    require(error.fault() == induce::Fault::usage, "option errors are usage errors");
  }
}

// The command line stored in a checkpoint.
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
  const Words words = arguments_from(data, size);
  if (words[0] == "resume" && words.size() > 1) {
    restore_fit(words[1]);
    return 0;
  }
  parse_program(words);
  if (words[0] == "fit") parse_fit({words.begin() + 1, words.end()});
  return 0;
}
