// Shape::add_line and Shape::pull_back_line as one loop each, for shapes with closed forms.
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

template <class Slope>
INDUCE_ALWAYS_INLINE double pull_back_line_of(double x, const double* z, const double* G, Index m,
                                              double variance, double* H1, double* U, const Slope& slope) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index j = 0; j < m; ++j) {
    const double h = G[j] * (variance * slope(std::abs(x - z[j])));
    H1[j] += h;
    U[j] += x * h;
    sum += h;
  }
  return sum;
}

}  // namespace induce::detail
