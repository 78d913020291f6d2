#include "site/newton.hpp"

#include <algorithm>

namespace induce {

void Newton::refresh(const double* y, const double* m, const double* S2, Index count, double* w, double* t,
                     double* c) const {
  constexpr Index strip = 64;
  double value[strip], slope[strip], curvature[strip];
  for (Index first = 0; first < count; first += strip) {
    const Index rows = std::min(strip, count - first);
    likelihood_.expectations(y + first, m + first, S2 + first, rows, value, slope, curvature);
    for (Index i = 0; i < rows; ++i) {
      const Index r = first + i;
      w[r] = -curvature[i];
      t[r] = slope[i] + w[r] * m[r];
      c[r] = value[i] - t[r] * m[r] + w[r] * (m[r] * m[r] + S2[r]) / 2;
    }
  }
}

}  // namespace induce
