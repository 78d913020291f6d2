#include "store/row_store.hpp"

#include <cmath>

namespace induce::detail {

void RowFacts::include(const double* x, Index columns, int label, double weight, std::uint64_t hash) {
  ++rows;
  class_rows.resize(std::max(class_rows.size(), static_cast<std::size_t>(label) + 1));
  if (weight > 0) {
    ++class_rows[static_cast<std::size_t>(label)];
    ranges.include(x, static_cast<std::size_t>(columns));
  }
  identity += hash ^ (std::bit_cast<std::uint64_t>(weight) * 0x9e3779b97f4a7c15);
  has_gaps.resize(static_cast<std::size_t>(columns));
  Index gaps = 0;
  for (Index f = 0; f < columns; ++f)
    if (std::isnan(x[f])) {
      has_gaps[static_cast<std::size_t>(f)] = 1;
      ++gaps;
    }
  most_gaps = std::max(most_gaps, gaps);
}

void RowFacts::include(const RowFacts& other) {
  rows += other.rows;
  identity += other.identity;
  most_gaps = std::max(most_gaps, other.most_gaps);
  ranges.include(other.ranges);
  class_rows.resize(std::max(class_rows.size(), other.class_rows.size()));
  for (std::size_t k = 0; k < other.class_rows.size(); ++k) class_rows[k] += other.class_rows[k];
  has_gaps.resize(std::max(has_gaps.size(), other.has_gaps.size()));
  for (std::size_t f = 0; f < other.has_gaps.size(); ++f) has_gaps[f] |= other.has_gaps[f];
}

}  // namespace induce::detail
