// The sub-commands. Each adds its options to the parser and hands back what to run if the user chose it.
#pragma once

#include <functional>
#include <vector>

namespace CLI {
class App;
}

namespace induce::cli {

struct Command {
  CLI::App* parser;
  std::function<void()> run;  // throws an Error when it cannot
};

Command add_fit(CLI::App& program);
Command add_predict(CLI::App& program);
Command add_eval(CLI::App& program);
Command add_info(CLI::App& program);
Command add_demo(CLI::App& program);
Command add_bench(CLI::App& program);

// All of them, and what the program itself takes. Parsing runs nothing and opens no file.
std::vector<Command> add_commands(CLI::App& program);

}  // namespace induce::cli
