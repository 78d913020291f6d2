// A sample of the user's rows from ordered rows.
//
// Each of the user's rows is in the sample with the same probability, whatever its copies are: equal rows are drawn one by
// one. What decides is a hash of where the row is: its leaf, its place in it, and which of its copies it is. So the sample does not
// depend on who has the leaves. Each copy of a row has an equal share of its weight.
#pragma once

#include <vector>

#include <induce/table.hpp>

#include "store/ordered_rows.hpp"

namespace induce {

// Rows of a table in memory, with labels (indices of classes) and weights.
struct OwnedRows {
  RowMatrix X;
  std::vector<int> labels;
  std::vector<double> weights;

  Index n() const { return X.rows(); }
  TableView view() const {
    return {X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
  }
};

// `share`: of the user's rows, at most 1. The order is that of the rows, equal ones together.
OwnedRows draw_sample(const OrderedRows& rows, double share);

}  // namespace induce
