// See program.hpp. Finds the sub-command, runs it, and turns whatever went wrong into one line on stderr and
// an exit status.
#include "program.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <fcntl.h>

#include <CLI/CLI.hpp>

#include <induce/error.hpp>

#include "commands.hpp"
#include "help.hpp"
#include "notice.hpp"
#include "signals.hpp"
#include "text.hpp"

namespace induce::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  induce demo                                       a fit and a picture, no files needed
  induce fit train.csv --test test.csv -o my.model  fit, test, and keep the model
  induce predict my.model new.csv -o answers.csv    a label and probabilities for each row

Each command has its own page: induce fit --help
Exit status: 0 done, 1 the data or the fit failed, 2 wrong usage.)";

// Descriptors 0 to 2 must be taken, else a data file could become "standard output".
void hold_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) == -1 && ::open("/dev/null", O_RDWR) < 0) return;
  }
}

int complain(std::string text, int status) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';  // one line, and nothing for the terminal
  }
  notice("induce: " + text + "\n");
  return status;
}

int complain_of_memory() noexcept {
  notice("induce: there is not enough memory\n");
  return 1;
}

int wrong_usage(const std::string& text, const CLI::App& chosen) {
  return complain(text + "; see '" + command_line_of(chosen) + " --help'", 2);
}

// The sub-command that was named, and the one of that, as far as they were.
const CLI::App& chosen_of(const CLI::App& parser) {
  const std::vector<CLI::App*> named = parser.get_subcommands();
  return named.empty() ? parser : chosen_of(*named.back());
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// In the order in which they were typed; the parser's own message turns it round.
std::string unknown_arguments(const std::vector<std::string>& unknown) {
  return noun(unknown.size(), "unknown argument") + " " + joined(unknown, " ");
}

// What is wrong with the words, where the parser says it less well.
std::string usage_fault(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& chosen = chosen_of(program);
  const std::vector<std::string> unknown = program.remaining(true);
  std::vector<std::string> known;
  for (const CLI::App* command : chosen.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  if (!known.empty()) {
    const std::string there_are = ": there are " + joined(known, ", ");
    if (unknown.empty()) return "a command is missing" + there_are;
    if (unknown[0][0] != '-') return "unknown command '" + unknown[0] + "'" + there_are;
    return unknown_arguments(unknown);
  }
  const bool extra = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  return extra ? unknown_arguments(unknown) : error.what();
}

void finish_standard_output() {
  errno = 0;
  std::cout.flush();
  if (!std::cout)
    throw data_error(std::string("cannot write to standard output: ") +
                     (errno ? std::strerror(errno) : "the stream is broken"));
}

int run(int argc, char** argv) {
  CLI::App program;
  const std::vector<Command> commands = add_commands(program);
  try {
    try {
      program.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help or --version
      program.exit(asked);
      finish_standard_output();
      return 0;
    } catch (const CLI::ParseError& error) {
      return wrong_usage(usage_fault(program, error), chosen_of(program));
    }
    for (const Command& command : commands)
      if (command.parser->parsed()) command.run();
    finish_standard_output();
    return 0;
  } catch (const Error& error) {
    if (error.fault() == Fault::usage) return wrong_usage(error.what(), chosen_of(program));
    return complain(error.what(), 1);
  } catch (const std::bad_alloc&) {
    return complain_of_memory();
  } catch (const std::exception& error) {
    return complain(error.what(), 1);
  }
}

}  // namespace

std::vector<Command> add_commands(CLI::App& program) {
  program.description("induce: Gaussian process classification that scales by inducing inputs.");
  program.formatter(std::make_shared<HelpPage>());
  program.set_help_flag("-h,--help", "This page.");
  program.set_version_flag("--version", "induce " INDUCE_VERSION, "The version.");
  program.require_subcommand(1);
  program.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  std::vector<Command> commands{add_fit(program),  add_predict(program), add_eval(program),
                                add_info(program), add_demo(program),    add_bench(program)};
  program.footer(kExamples);  // after them: each command would take it over
  return commands;
}

int run_program(int argc, char** argv) {
  hold_standard_streams();
  install_signal_handlers();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {  // even the message did not fit
    return complain_of_memory();
  }
}

}  // namespace induce::cli
