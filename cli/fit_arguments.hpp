// What `induce fit` takes: its options as the user wrote them, and the page that explains them.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <induce/options.hpp>

#include "arguments.hpp"

namespace induce::cli {

// What is the command line's alone; the rest is in the table of options.
struct FitArguments {
  DataArguments data;
  std::string test_path;
  double holdout = 0;
  std::size_t features = 0;
  std::string weight;
  bool balanced = false;

  std::string model_path, json_path, trace_path;
  bool quiet = false;
};

// Adds these and every entry of the table of options to `parser`; `arguments` must outlive it.
void add_fit_arguments(CLI::App& parser, FitArguments& arguments);

// The value of --resume, which brings other options along; empty if it was not given.
std::string resume_path(const CLI::App& parser);

// The library's options; throws an Error for a value that is wrong whatever the data are.
Options fit_options(const CLI::App& parser, const FitArguments& arguments);

}  // namespace induce::cli
