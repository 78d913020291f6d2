#include "store/column_ranges.hpp"

#include <algorithm>
#include <limits>

namespace induce::detail {

constexpr double no_limit = std::numeric_limits<double>::infinity();

ColumnRanges ColumnRanges::find(TableView table, std::span<const double> weights) {
  ColumnRanges ranges;
  for (std::size_t i = 0; i < table.n; ++i)
    if (weights.empty() || weights[i] > 0) ranges.include(table.row(i), table.d);
  return ranges;
}

void ColumnRanges::include(const double* row, std::size_t columns) {
  lowest.resize(columns, no_limit);
  highest.resize(columns, -no_limit);
  for (std::size_t column = 0; column < columns; ++column) {               // a comparison with a gap is false
    if (row[column] < lowest[column]) lowest[column] = row[column] + 0.0;  // -0 becomes 0
    if (row[column] > highest[column]) highest[column] = row[column] + 0.0;
  }
}

void ColumnRanges::include(const ColumnRanges& other) {
  lowest.resize(std::max(lowest.size(), other.lowest.size()), no_limit);
  highest.resize(lowest.size(), -no_limit);
  for (std::size_t column = 0; column < other.lowest.size(); ++column) {
    lowest[column] = std::min(lowest[column], other.lowest[column]);
    highest[column] = std::max(highest[column], other.highest[column]);
  }
}

double ColumnRanges::width(std::size_t column) const {
  const double width = highest[column] - lowest[column];
  return width > 0 ? width : no_limit;
}

}  // namespace induce::detail
