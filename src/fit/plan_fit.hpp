// Everything that is decided before training: rows, units, kernel, starting point and size limits.
#pragma once

#include <functional>
#include <span>

#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/table.hpp>

#include "rows/workers.hpp"
#include "store/ordered_rows.hpp"
#include "train/plan.hpp"

namespace induce {

// The rows to plan with.
struct FitData {
  TableView table;
  std::span<const int> labels;         // indices of Names::classes
  std::span<const double> weights;     // empty: all 1
  const FactsOfRows* facts = nullptr;  // of all rows, if these came from shards or are a sample
  AllRows* all = nullptr;              // if these are a sample of a large table
  // See TrainingPlan. Of a sparse table in this process.
  std::function<RowMatrix(const std::vector<char>& without)> table_without{};
};

// Tables with more rows or cells are planned with a sample.
constexpr std::size_t most_cells_of_a_sample = std::size_t{1} << 23;
bool is_large(std::size_t rows, std::size_t columns, const Options& options);
// Rows of the sample of a large table.
std::size_t sample_size(std::size_t columns, const Options& options);

// Throws an Error if the method does not support the likelihood, if memory will not suffice, or if features that are not
// standardised have an extreme scale.
TrainingPlan plan_fit(const FitData& data, const Names& names, const Options& options, Workers& workers);

}  // namespace induce
