// Rows of a table, each with a weight. Rows with the same features and label are one row with the sum of
// their weights: bounds, gradients and predictions are the same, and the work is less.
#pragma once

#include <span>
#include <vector>

#include <induce/table.hpp>

#include "linalg/types.hpp"
#include "rows/workers.hpp"

namespace induce {

struct WeightedRows {
  TableView table;
  std::vector<Index> rows;  // numbers of rows of the table
  Vector weight;            // one for each of them, > 0

  Index n() const { return static_cast<Index>(rows.size()); }
  Index d() const { return static_cast<Index>(table.d); }
  const double* row(Index i) const { return table.row(static_cast<std::size_t>(rows[i])); }
};

// As they are: each row, weight 1 where there are none.
WeightedRows all_rows(TableView table, std::span<const double> weights);

// Equal rows merged, rows of weight 0 left out. The order is that of a hash of the rows' contents: it does
// not depend on the order of the table, so a fit does not either. (0 and -0 are equal.)
WeightedRows merged_rows(TableView table, std::span<const int> labels, std::span<const double> weights,
                         Workers& workers);

}  // namespace induce
