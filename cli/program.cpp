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

int wrong_usage(const std::string& text, const std::string& command) {
  return complain(text + "; see 'induce " + (command.empty() ? "" : command + " ") + "--help'", 2);
}

std::string names_of(const std::vector<Command>& commands) {
  std::string names;
  for (const Command& command : commands) names += (names.empty() ? "" : ", ") + command.parser->get_name();
  return names;
}

// Empty if a sub-command was named.
std::string missing_command(const CLI::App& program, const std::vector<Command>& commands, int argc,
                            char** argv) {
  if (!program.get_subcommands().empty()) return "";
  if (argc > 1 && argv[1][0] != '-')
    return "unknown command '" + std::string(argv[1]) + "': there are " + names_of(commands);
  return argc > 1 ? "" : "a command is missing: there are " + names_of(commands);
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
  std::string chosen;
  try {
    try {
      program.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help or --version
      program.exit(asked);
      finish_standard_output();
      return 0;
    } catch (const CLI::ParseError& error) {
      for (const CLI::App* parser : program.get_subcommands()) chosen = parser->get_name();
      const std::string missing = missing_command(program, commands, argc, argv);
      return wrong_usage(missing.empty() ? error.what() : missing, chosen);
    }
    for (const Command& command : commands) {
      if (!command.parser->parsed()) continue;
      chosen = command.parser->get_name();
      command.run();
    }
    finish_standard_output();
    return 0;
  } catch (const Error& error) {
    if (error.fault() == Fault::usage) return wrong_usage(error.what(), chosen);
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
  program.footer(kExamples);
  program.require_subcommand(1);
  program.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  return {add_fit(program),  add_predict(program), add_eval(program),
          add_info(program), add_demo(program),    add_bench(program)};
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
