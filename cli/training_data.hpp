// The tables of `induce fit`: that of training, wherever its rows are, and that of the test.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <induce/fit.hpp>

#include "fit_arguments.hpp"
#include "read/dataset.hpp"
#include "store/ordered_file.hpp"

namespace induce::cli {

struct TrainingData {
  Dataset train;  // all rows, or some of them if they are elsewhere: in shards, none before the fit
  std::unique_ptr<OrderedFile> in_files{};  // rows that do not fit in memory
  bool in_shards = false;                   // rows are with the processes of the job
  std::size_t rows = 0;
  std::vector<std::size_t> class_rows{};
  std::vector<double> class_weights{};  // as the fit sees them: balanced, if they are
  std::optional<Dataset> test{};
};

TrainingData read_training_data(const FitArguments& arguments, const Options& options);

// Afterwards `data.train` has rows.
Fit fit_data(TrainingData& data, const Options& options);

}  // namespace induce::cli
