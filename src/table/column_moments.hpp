// What the columns of the training data were like, to tell how far new rows are from them (induce/update.hpp).
#pragma once

#include <vector>

#include <induce/model.hpp>

#include "store/memory_store.hpp"

namespace induce::detail {

struct ColumnMoments {
  std::vector<double> mean,
      deviation;             // by column, of its values; 0 and 0 of a category, or if they are not finite
  std::vector<double> gaps;  // by column, the share of rows without a value
  std::vector<std::vector<double>>
      levels;  // by column, the shares of its levels among the values; empty for numbers

  // Rows count by their weights.
  static ColumnMoments find(const MemoryStore& rows, const Names& names);
  bool empty() const { return gaps.empty(); }  // of sparse rows, or of a model of an earlier version
};

// Sums over rows, from which the moments of new rows follow.
class ColumnSums {
 public:
  ColumnSums(std::size_t columns, const Names& names);
  // One row, less `origin` by column where it is a number (empty: 0), which avoids cancellation.
  void add(const double* row, double weight, const std::vector<double>& origin = {});
  double weight() const { return weight_; }

  std::vector<double> values, sums,
      squares;  // by column: weights of rows with a value, sums of the value and its square
  std::vector<std::vector<double>> levels;  // weights, by level; the last is for levels that are not known

 private:
  double weight_ = 0;
};

}  // namespace induce::detail
