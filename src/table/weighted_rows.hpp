// Rows of a table, each with a weight. Rows with equal features and labels can be merged into one row with
// the sum of their weights: bounds, gradients and predictions stay the same, at lower cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <induce/table.hpp>

#include "linalg/types.hpp"
#include "rows/workers.hpp"

namespace induce {

struct WeightedRows {
  TableView table;
  std::vector<Index> rows;  // row indices of the table
  Vector weight;            // one per row, > 0

  Index n() const { return static_cast<Index>(rows.size()); }
  Index d() const { return static_cast<Index>(table.d); }
  const double* row(Index i) const { return table.row(static_cast<std::size_t>(rows[i])); }
};

// All rows, with weight 1 if `weights` is empty.
WeightedRows all_rows(TableView table, std::span<const double> weights);

// Merges equal rows and omits rows of weight 0. Rows are ordered by a hash of their contents. So the result
// of a fit does not depend on the order of the table. (0 and -0 are equal, and so are all NaN.) `order`: in which columns
// are hashed; empty: as they are.
WeightedRows merged_rows(TableView table, std::span<const int> labels, std::span<const double> weights,
                         Workers& workers, std::span<const Index> order = {});
// The same for sparse rows: the result has their indices and a table without numbers.
WeightedRows merged_rows(const SparseView& table, std::span<const int> labels,
                         std::span<const double> weights, Workers& workers);
// Of the contents of a row. An entry that is 0 and one that is left out are the same.
std::uint64_t hash_of_row(const SparseView& table, Index row);

}  // namespace induce
