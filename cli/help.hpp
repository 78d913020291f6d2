// How `--help` looks: usage, what it is for, arguments, options by group with wrapped text, examples.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace induce::cli {

// What is typed to get there: "induce", "induce fit", "induce bench pass".
std::string command_line_of(const CLI::App& parser);

class HelpPage : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace induce::cli
