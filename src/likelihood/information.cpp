#include "likelihood/information.hpp"

#include <algorithm>
#include <cmath>

namespace induce::detail {
namespace {

// Of all classes, two or C.
Vector class_probabilities(const Likelihood& likelihood, const double* m, const double* S2) {
  Vector p(likelihood.probabilities());
  likelihood.probabilities(m, S2, 1, p.data());
  if (p.size() == 1) p = Vector{{1 - p[0], p[0]}};
  return p;
}

}  // namespace

double entropy(std::span<const double> p) {
  double sum = 0;
  for (const double each : p) sum -= each > 0 ? each * std::log(each) : 0;
  return sum;
}

double information(const Likelihood& likelihood, const double* m, const double* S2) {
  double noise = 0;
  likelihood.expected_entropy(m, S2, 1, &noise);
  const Vector p = class_probabilities(likelihood, m, S2);
  return std::max(0.0, entropy({p.data(), static_cast<std::size_t>(p.size())}) - noise);
}

void expected_weights(const Likelihood& likelihood, const double* m, const double* S2, double* w) {
  const Index C = likelihood.latent_functions();
  const Vector p = class_probabilities(likelihood, m, S2);
  Vector slope(C), curvature(C);
  std::fill_n(w, C, 0.0);
  for (Index k = 0; k < p.size(); ++k) {
    const double y = p.size() == 2 ? 2.0 * static_cast<double>(k) - 1 : static_cast<double>(k);
    double value = 0;
    likelihood.expectations(&y, m, S2, 1, &value, slope.data(), curvature.data());
    for (Index c = 0; c < C; ++c) w[c] -= p[k] * curvature[c];
  }
}

}  // namespace induce::detail
