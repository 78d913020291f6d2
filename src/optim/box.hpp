// Bounds on the variables of an optimizer; infinite entries: no bound.
#pragma once

#include "linalg/types.hpp"

namespace induce::detail {

struct Box {
  Vector lower, upper;

  Vector nearest(const Vector& x) const { return x.cwiseMax(lower).cwiseMin(upper); }
  bool bounded() const { return lower.allFinite() && upper.allFinite(); }
  bool inside(const Vector& x, Index i) const { return x[i] > lower[i] && x[i] < upper[i]; }
  // The bound that x_i meets if it moves along d_i.
  double ahead(Index i, double d_i) const { return d_i > 0 ? upper[i] : lower[i]; }
};

}  // namespace induce::detail
