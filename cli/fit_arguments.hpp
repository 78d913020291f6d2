// Arguments of `induce fit` and their help page.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <induce/options.hpp>

#include "arguments.hpp"

namespace induce::cli {

// Arguments of the command line only; the others are in the option table.
struct FitArguments {
  DataArguments data;
  std::string test_path;
  double holdout = 0;
  std::size_t features = 0;
  std::string weight, group, time;  // columns
  std::string order;                // of the classes
  bool balanced = false;

  std::string model_path, json_path, trace_path;
  bool quiet = false;
  std::string scratch;  // folder for tables that do not fit in memory
};

// Adds these and every entry of the option table to `parser`; `arguments` must outlive it.
void add_fit_arguments(CLI::App& parser, FitArguments& arguments);

// The value of --resume; empty if not given.
std::string resume_path(const CLI::App& parser);

// Options for fit(). Throws a usage Error for values that are invalid for any data.
Options fit_options(const CLI::App& parser, const FitArguments& arguments);

}  // namespace induce::cli
