// The subcommands. Each function adds a parser and returns the code to run if the user chose the command.
#pragma once

#include <functional>
#include <string>
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
Command add_rank(CLI::App& program);
Command add_eval(CLI::App& program);
Command add_update(CLI::App& program);
Command add_info(CLI::App& program);
Command add_explain(CLI::App& program);
Command add_export(CLI::App& program);
Command add_report(CLI::App& program);
Command add_demo(CLI::App& program);

// Name, description, --help and --version, and how options are read.
void add_head(CLI::App& program, const std::string& name, const std::string& description);

// The head and all subcommands of `induce`. Parsing runs nothing and opens no file.
std::vector<Command> add_commands(CLI::App& program);

}  // namespace induce::cli
