// The tables of `induce fit`: that of training, wherever its rows are, and that of the test.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <induce/fit.hpp>

#include "fit_arguments.hpp"
#include "row_groups.hpp"
#include "read/dataset.hpp"
#include "read/read_options.hpp"
#include "store/file_store.hpp"

namespace induce::cli {

struct TrainingData {
  Dataset train;  // all rows, or some of them if they are elsewhere: in shards, none before the fit
  std::unique_ptr<FileStore> in_files{};  // rows that do not fit in memory
  bool in_shards = false;                 // rows are with the processes of the job
  std::size_t rows = 0;
  std::vector<std::size_t> class_rows{};
  std::vector<double> class_weights{};
  std::optional<Dataset> test{};
  RowGroups groups{};
};

// The training table, if its files are large for the memory that may be used and it turns out to be large: its rows are then
// in scratch files, or with the other processes of the job. Otherwise none: read it into memory.
std::optional<TrainingData> read_large_table(const FitArguments& arguments, const ReadOptions& how,
                                             const Options& options);

// The option, if it was given, whose rows must be in the memory of one process.
inline std::string option_in_memory(const FitArguments& arguments) {
  return !arguments.group.empty()         ? "--group"
         : !arguments.time.empty()        ? "--time"
         : !arguments.data.trials.empty() ? "--trials"
         : arguments.data.shares          ? "--shares"
                                          : "";
}

// Training metrics of a table whose rows are not in memory are those of a sample: which share of the rows.
inline double share_for_metrics(std::size_t rows) {
  return std::min(1.0, 65536 / static_cast<double>(std::max<std::size_t>(rows, 1)));
}

TrainingData read_training_data(const FitArguments& arguments, const Options& options);

// Afterwards `data.train` has rows.
Fit fit_data(TrainingData& data, const Options& options);

}  // namespace induce::cli
