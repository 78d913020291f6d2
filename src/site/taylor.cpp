#include "site/taylor.hpp"

#include <algorithm>

namespace induce::detail {

void Taylor::refresh(const double* y, const double* m, const double* /*S2*/, Index count, double* w,
                     double* t, double* c) const {
  constexpr Index strip = 64;
  constexpr double no_variance[strip] = {};
  for (Index i = 0; i < count; i += strip)
    at_the_mean_.refresh(y + i, m + i, no_variance, std::min(strip, count - i), w + i, t + i, c + i);
}

}  // namespace induce::detail
