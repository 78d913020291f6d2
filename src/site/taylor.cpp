#include "site/taylor.hpp"

#include "likelihood/logistic.hpp"

namespace induce::detail {

void Taylor::refresh(const double* y, const double* m, const double* /*S2*/, Index count, double* w,
                     double* t, double* c) const {
  for (Index i = 0; i < count; ++i) {
    const double xi = m[i], p = sigmoid(y[i] * xi), q = sigmoid(-y[i] * xi);
    const double phi = y[i] * q, psi = p * q / 2;
    w[i] = 2 * psi;
    t[i] = phi + 2 * psi * xi;
    c[i] = log_sigmoid(y[i] * xi) - phi * xi - psi * xi * xi;
  }
}

}  // namespace induce::detail
