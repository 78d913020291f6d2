// Runs the subcommand and turns any failure into one line on stderr and an exit status.
#include "program.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
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
#include <induce/version.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "file/temporary_name.hpp"
#include "help.hpp"
#include "notice.hpp"
#include "text/utf8.hpp"
#include "signals.hpp"
#include "text/compose.hpp"
#include "text/words.hpp"

namespace induce::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  induce demo                                         fit synthetic data and draw a picture
  induce fit train.csv --label income -o my.model     fit and save a model
  induce predict my.model new.csv -o predictions.csv  predict labels and probabilities
  induce rank my.model pool.csv -n 20                 which rows should be labelled next
  induce explain my.model --svg effects.svg           show what each feature does
  induce export my.model --c my_model.h               write it as C source
  induce report my.model test.csv -o report.html      write a page about the model for people

For the options of a command: induce fit --help
Exit status: 0 success, 1 error in the data or the fit, 2 wrong usage.)";

// Opens /dev/null for closed descriptors 0 to 2. Otherwise a data file could become standard output.
void open_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) == -1 && ::open("/dev/null", O_RDWR) < 0) return;
  }
}

int report_error(const CLI::App& program, const std::string& text, int status) {
  notice(program.get_name() + ": " + detail::clean(text) + "\n");
  return status;
}

int report_out_of_memory() noexcept {
  notice("induce: out of memory\n");
  return 1;
}

// CLI11 and nlohmann-json ask for memory where they must not throw. Then no destructor runs either.
[[noreturn]] void end_without_memory() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    remove_temporaries();
    std::_Exit(report_out_of_memory());
  } catch (...) {  // a bug: ends as without a handler
  }
  std::abort();
}

// The innermost subcommand on the command line, or the program itself.
const CLI::App& chosen_of(const CLI::App& parser) {
  const std::vector<CLI::App*> named = parser.get_subcommands();
  return named.empty() ? parser : chosen_of(*named.back());
}

int wrong_usage(const CLI::App& program, const std::string& text) {
  return report_error(program, text + "; see '" + command_line_of(chosen_of(program)) + " --help'", 2);
}

// In the order of the command line; CLI11's own message reverses it.
std::string unknown_arguments(const std::vector<std::string>& unknown) {
  return noun(unknown.size(), "unknown argument") + ": " + joined(unknown, " ");
}

// Replaces CLI11's message where it is unclear.
std::string usage_message(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& chosen = chosen_of(program);
  const std::vector<std::string> unknown = program.remaining(true);
  std::vector<std::string> known;
  for (const CLI::App* command : chosen.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  if (!known.empty()) {
    const std::string available = "; available commands: " + joined(known);
    if (unknown.empty()) return "missing command" + available;
    if (unknown[0][0] != '-') return "unknown command '" + unknown[0] + "'" + available;
    return unknown_arguments(unknown);
  }
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  const std::string message = error.what();
  if (code == CLI::ExitCodes::ExtrasError) return unknown_arguments(unknown);
  if (code == CLI::ExitCodes::ArgumentMismatch && message.ends_with(" missing"))
    return message.substr(0, message.find(':')) + ": missing value";
  if (code == CLI::ExitCodes::ArgumentMismatch && message.find("received") != std::string::npos)
    return message.substr(0, message.find(':')) + ": may be given once";
  return message;
}

void finish_standard_output() {
  errno = 0;
  std::cout.flush();
  if (!std::cout)
    throw data_error(std::string("cannot write to standard output: ") +
                     (errno ? std::strerror(errno) : "unknown error"));
}

int run(int argc, char** argv, std::vector<Command> (*add)(CLI::App&)) {
  CLI::App program;
  const std::vector<Command> commands = add(program);
  remember_command(argc, argv);
  try {
    try {
      program.parse(argc, argv);
    } catch (const CLI::Success& request) {  // --help or --version
      program.exit(request);
      finish_standard_output();
      return 0;
    } catch (const CLI::ParseError& error) {
      return wrong_usage(program, usage_message(program, error));
    }
    for (const Command& command : commands)
      if (command.parser->parsed()) command.run();
    finish_standard_output();
    return 0;
  } catch (const Error& error) {
    if (error.fault() == Fault::usage) return wrong_usage(program, error.what());
    return report_error(program, error.what(), 1);
  } catch (const std::bad_alloc&) {
    return report_out_of_memory();
  } catch (const std::exception& error) {
    return report_error(program, error.what(), 1);
  }
}

}  // namespace

void add_head(CLI::App& program, const std::string& name, const std::string& description) {
  program.name(name);
  program.description(description);
  program.formatter(std::make_shared<HelpPage>());
  program.set_help_flag("-h,--help", "Print this help.");
  program.set_version_flag("--version", name + " " INDUCE_VERSION, "Print the version.");
  program.require_subcommand(1);
  program.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

std::vector<Command> add_commands(CLI::App& program) {
  add_head(program, "induce", "induce: Gaussian process classification with inducing inputs.");
  std::vector<Command> commands{
      add_fit(program),     add_predict(program), add_eval(program), add_update(program), add_rank(program),
      add_explain(program), add_report(program),  add_info(program), add_export(program), add_demo(program)};
  program.footer(kExamples);  // last, because subcommands inherit it
  return commands;
}

int run_program(int argc, char** argv, std::vector<Command> (*add)(CLI::App&)) {
  open_standard_streams();
  install_signal_handlers();
  std::set_terminate(end_without_memory);
  try {
    return run(argc, argv, add);
  } catch (const std::bad_alloc&) {  // thrown while reporting an error
    return report_out_of_memory();
  }
}

}  // namespace induce::cli
