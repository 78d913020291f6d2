#include "store/row_store.hpp"

#include <cmath>

namespace induce::detail {

void RowFacts::include(const double* x, Index columns, int label, double weight, std::uint64_t hash) {
  ++rows;
  of_class.resize(std::max(of_class.size(), static_cast<std::size_t>(label) + 1));
  if (weight > 0) {
    ++of_class[static_cast<std::size_t>(label)];
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
  of_class.resize(std::max(of_class.size(), other.of_class.size()));
  for (std::size_t k = 0; k < other.of_class.size(); ++k) of_class[k] += other.of_class[k];
  has_gaps.resize(std::max(has_gaps.size(), other.has_gaps.size()));
  for (std::size_t f = 0; f < other.has_gaps.size(); ++f) has_gaps[f] |= other.has_gaps[f];
}

}  // namespace induce::detail
