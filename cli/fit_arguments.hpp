// What `induce fit` takes: its options as the user wrote them, and the page that explains them.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <induce/options.hpp>

#include "arguments.hpp"

namespace induce::cli {

struct FitArguments {
  DataArguments data;
  std::string test_path;
  double holdout = 0;
  std::size_t features = 0;
  std::string weight;
  bool balanced = false;

  std::string method = "auto";
  double step = 1.0;
  std::size_t batch = 0;
  std::string start;

  std::string inducing = "auto";
  std::string kernel = "se";
  bool ard = false, learn_inputs = false, noise = false, mean = false;  // read only if the flag was given
  std::string warp = "auto";
  bool no_standardize = false;

  int max_iter = 0;
  double max_time = 0;
  std::uint64_t seed = 0;
  int threads = 0;
  std::uint64_t memory = 0;

  std::string model_path, json_path, trace_path, checkpoint_path, resume_path;
  double checkpoint_every = 60;
  bool quiet = false;
};

// Adds every option to `parser`; `arguments` must outlive it.
void add_fit_arguments(CLI::App& parser, FitArguments& arguments);

// The library's options; throws an Error for a value that is wrong whatever the data are.
Options fit_options(const CLI::App& parser, const FitArguments& arguments);

}  // namespace induce::cli
