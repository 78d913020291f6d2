#include "site/jaakkola_jordan.hpp"

#include <cmath>

#include "likelihood/logistic.hpp"

namespace induce::detail {

double jj_lambda(double xi) {
  if (std::abs(xi) < 1e-2) {  // the next term of the series is at most 3e-17
    const double x2 = xi * xi;
    return 1.0 / 8 - x2 / 96 + x2 * x2 / 960 - 17 * x2 * x2 * x2 / 161280;
  }
  return std::tanh(xi / 2) / (4 * xi);
}

double jj_lambda_slope(double xi) {
  if (std::abs(xi) < 1e-2) return xi * (-1.0 / 48 + xi * xi / 240 - 17 * xi * xi * xi * xi / 26880);
  const double tanh = std::tanh(xi / 2);
  return ((1 - tanh * tanh) / 2 - tanh / xi) / (4 * xi);
}

void jj_site(double y, double xi, double& w, double& t, double& c) {
  const double lambda = jj_lambda(xi);
  w = 2 * lambda;
  t = y / 2;
  c = log_sigmoid(xi) - xi / 2 + lambda * xi * xi;
}

Vector jj_slopes(const Sites& sites, const Vector& weight, const Vector& m, const Vector& S2) {
  Vector slopes = sites.w;
  for (Index i = 0; i < slopes.size(); ++i) {
    const double xi = std::sqrt(m[i] * m[i] + S2[i]);
    if (xi > 0) slopes[i] += 2 * weight[i] * jj_lambda_slope(xi) * m[i] * m[i] / xi;
  }
  return slopes;
}

void JaakkolaJordan::refresh(const double* y, const double* m, const double* S2, Index count, double* w,
                             double* t, double* c) const {
  for (Index i = 0; i < count; ++i) jj_site(y[i], std::sqrt(m[i] * m[i] + S2[i]), w[i], t[i], c[i]);
}

}  // namespace induce::detail
