// A sample of the user's rows from a store.
//
// Each of the user's rows is in the sample with the same probability, whatever its copies are: equal rows are drawn one by
// one. What decides is a hash of where the row is: its leaf, its place in it, and which of its copies it is. So the sample does not
// depend on who has the leaves. Each copy of a row has an equal share of its weight.
#pragma once

#include <functional>
#include <vector>

#include <induce/table.hpp>

#include "store/row_store.hpp"

namespace induce::detail {

// Rows of a table in memory, with labels (indices of classes) and weights.
struct OwnedRows {
  Index columns = 0;
  std::vector<double> x;
  std::vector<int> labels;
  std::vector<double> weights;

  Index n() const { return static_cast<Index>(labels.size()); }
  TableView view() const { return {x.data(), labels.size(), static_cast<std::size_t>(columns)}; }
  RowMatrix matrix() const { return Eigen::Map<const RowMatrix>(x.data(), n(), columns); }
  void add(const double* rows, Index count, Index new_columns, const int* new_labels,
           const double* new_weights);
};

// `share`: of the user's rows, at most 1. The order is that of the store, equal rows together. Calls `on_row`, if given, with the
// row of the store and the copy of it that each row of the sample is.
OwnedRows draw_sample(const RowStore& rows, double share,
                      const std::function<void(Index row, Index copy)>& on_row = {});

}  // namespace induce::detail
