// The labels of the rows and their weights.
// A row of weight 2 is two rows: the weight multiplies its log p(y | f), hence its site.
#pragma once

#include <utility>
#include <vector>

#include "linalg/types.hpp"

namespace induce {

struct Targets {
  Vector y;       // n, +1 or -1
  Vector weight;  // n, >= 0

  explicit Targets(Vector labels = {}) : y(std::move(labels)), weight(Vector::Ones(y.size())) {}
  Targets(Vector labels, Vector weights) : y(std::move(labels)), weight(std::move(weights)) {}

  Index n() const { return y.size(); }
  Targets of_rows(const std::vector<Index>& rows) const { return {y(rows), weight(rows)}; }
};

}  // namespace induce
