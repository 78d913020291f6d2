#include "likelihood/probit_likelihood.hpp"

#include <cmath>
#include <numbers>

#include "likelihood/probit.hpp"

namespace induce::detail {

void ProbitLikelihood::positive_expectations(const double* m, const double* S2, std::size_t count,
                                             double* value, double* slope, double* curvature) const {
  expected_log_normal_cdf(m, S2, count, value, slope, curvature);
}

void ProbitLikelihood::positive_expected_log(const double* m, const double* S2, std::size_t count,
                                             double* value) const {
  expected_log_normal_cdf(m, S2, count, value);
}

double ProbitLikelihood::probability(double m, double S2) const { return expected_normal_cdf(m, S2); }

// Newton's method on log Phi(f) = log p for p <= 1/2. log Phi is concave, so steps from the left never overshoot.
double ProbitLikelihood::latent_of(double probability) const {
  const double p = std::min(probability, 1 - probability);
  double f = -std::sqrt(-2 * std::log(2 * p));  // Phi(f) <= exp(-f^2/2)/2
  for (int step = 0; step < 60; ++step) {
    const double log_cdf = log_normal_cdf(f);
    const double slope = std::exp(-f * f / 2 - log_cdf) / std::sqrt(2 * std::numbers::pi);  // phi / Phi
    const double move = (std::log(p) - log_cdf) / slope;
    f += move;
    if (std::abs(move) <= 1e-15 * (1 + std::abs(f))) break;
  }
  return probability < 0.5 ? f : -f;
}

}  // namespace induce::detail
