// How `--help` looks: usage, what it is for, arguments, options by group with wrapped text, examples.
#pragma once

#include <CLI/CLI.hpp>

namespace induce::cli {

class HelpPage : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace induce::cli
