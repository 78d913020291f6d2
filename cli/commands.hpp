// The subcommands. Each function adds a parser and returns the code to run if the user chose the command.
#pragma once

#include <functional>
#include <vector>

namespace CLI {
class App;
}

namespace induce::cli {

struct Command {
  CLI::App* parser;
  std::function<void()> run;  // throws Error on failure
};

Command add_fit(CLI::App& program);
Command add_predict(CLI::App& program);
Command add_eval(CLI::App& program);
Command add_info(CLI::App& program);
Command add_explain(CLI::App& program);
Command add_export(CLI::App& program);
Command add_report(CLI::App& program);
Command add_demo(CLI::App& program);
Command add_bench(CLI::App& program);

// Adds all subcommands and the global options. Parsing runs nothing and opens no file.
std::vector<Command> add_commands(CLI::App& program);

}  // namespace induce::cli
