// The labels of the rows and their weights.
// A row of weight 2 is two rows: the weight multiplies its log p(y | f), hence its site.
#pragma once

#include <utility>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

struct Targets {
  Vector y;       // n, +1 or -1; with more than two classes, the index of the class
  Vector weight;  // n, >= 0

  explicit Targets(Vector labels = {}) : y(std::move(labels)), weight(Vector::Ones(y.size())) {}
  Targets(Vector labels, Vector weights) : y(std::move(labels)), weight(std::move(weights)) {}

  Index n() const { return y.size(); }
  // Rows of each class, if there are this many latent functions: two classes if there is one.
  std::vector<Index> class_counts(Index functions) const {
    std::vector<Index> counts(static_cast<std::size_t>(functions == 1 ? 2 : functions), 0);
    for (const double label : y) ++counts[static_cast<std::size_t>(functions == 1 ? label > 0 : label)];
    return counts;
  }
  Targets of_rows(const std::vector<Index>& rows) const { return {y(rows), weight(rows)}; }
};

}  // namespace induce::detail
