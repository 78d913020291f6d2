// A row of weight w and w equal rows are one thing. To the last bit, since both are brought into one form
// here: equal rows of equal label become one with the sum of their weights, weights of 0 go, and the rest is
// sorted. What depends on the order of rows (k-means, the first rows of a growing fit) then cannot tell the
// two apart, and a table that repeats itself costs what its distinct rows cost.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <induce/table.hpp>

namespace induce {

struct WeightedTable {
  std::vector<double> x;  // n x d, row after row
  std::vector<int> y;
  std::vector<double> weight;
  std::size_t d = 0;

  TableView view() const { return {x.data(), y.size(), d}; }
};

// Nothing if the table can be taken as it is: no two rows are equal, and weights are absent or all 1.
std::optional<WeightedTable> distinct_rows(TableView X, std::span<const int> y,
                                           std::span<const double> weights);

}  // namespace induce
