// The smallest and largest value of each column of the training data, and what lies far outside of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <induce/table.hpp>

namespace induce::detail {

struct ColumnRanges {
  std::vector<double> lowest, highest;  // by column; lowest > highest: no value

  static ColumnRanges find(TableView table, std::span<const double> weights);  // empty weights: all 1

  bool empty() const { return lowest.empty(); }  // of a model of an earlier version
  void include(const double* row, std::size_t columns);
  void include(const ColumnRanges& other);

  // Far: farther beyond the range than the range is wide. New rows of the source of the training data rarely are
  // (docs/decisions.md). Never of a gap, or in a column with fewer than two values.
  bool far_below(std::size_t column, double x) const { return x < lowest[column] - width(column); }
  bool far_above(std::size_t column, double x) const { return x > highest[column] + width(column); }

 private:
  double width(std::size_t column) const;
};

}  // namespace induce::detail
