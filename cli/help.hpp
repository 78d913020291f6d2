// Layout of `--help`: usage, description, arguments, options by group, examples.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace induce::cli {

// The full name of a command: "induce", "induce fit".
std::string command_line_of(const CLI::App& parser);

class HelpPage : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace induce::cli
