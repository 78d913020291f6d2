#include "site/newton.hpp"

#include <algorithm>

namespace induce::detail {

void Newton::refresh(const double* y, const double* m, const double* S2, Index count, double* w, double* t,
                     double* c) const {
  const Index functions = likelihood_.latent_functions();
  constexpr Index strip = 64;
  double value[strip];
  for (Index first = 0; first < count; first += strip) {
    const Index rows = std::min(strip, count - first), at = first * functions;
    likelihood_.expectations(y + first, m + at, S2 + at, rows, value, t + at, w + at);
    for (Index i = 0; i < rows; ++i) {
      double constant = value[i];
      for (Index k = at + i * functions; k < at + (i + 1) * functions; ++k) {
        w[k] = -w[k];
        t[k] += w[k] * m[k];
        constant = constant - t[k] * m[k] + w[k] * (m[k] * m[k] + S2[k]) / 2;
      }
      c[first + i] = constant;
    }
  }
}

}  // namespace induce::detail
