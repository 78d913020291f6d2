// Training tables that do not fit in memory: their rows are in scratch files, or with the other processes of the job.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <induce/options.hpp>

#include "fit_arguments.hpp"
#include "read/dataset.hpp"
#include "read/read_options.hpp"
#include "store/ordered_file.hpp"

namespace induce::cli {

// Training metrics of a table whose rows are not in memory are those of a sample: which share of the rows.
inline double share_for_metrics(std::size_t rows) {
  return std::min(1.0, 65536 / static_cast<double>(std::max<std::size_t>(rows, 1)));
}

struct LargeTable {
  std::unique_ptr<OrderedFile> rows;  // none: the processes of the job have them
  Dataset sample;                     // what is known of the table, and some of its rows if they are in files
  std::vector<std::size_t> class_rows;
  std::vector<double> class_weights;
};

// The training table, if its files are large for the memory that may be used and it turns out to be large.
// Otherwise none: read it into memory.
std::optional<LargeTable> read_large_table(const FitArguments& arguments, const ReadOptions& how,
                                           const Options& options);

}  // namespace induce::cli
