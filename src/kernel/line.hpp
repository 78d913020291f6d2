// Shape::add_line as one loop, for shapes with closed forms.
//
// A line needs no square root: r = |x - z|. One loop without intermediate arrays takes half the time of separate ones for
// squares, shape and sum.
#pragma once

#include <cmath>

#include "linalg/multiversion.hpp"
#include "linalg/types.hpp"

namespace induce::detail {

template <class Rho>
INDUCE_ALWAYS_INLINE void add_line_of(double x, const double* z, Index m, double variance, double* K,
                                      const Rho& rho) {
  for (Index j = 0; j < m; ++j) K[j] += variance * rho(std::abs(x - z[j]));
}

}  // namespace induce::detail
