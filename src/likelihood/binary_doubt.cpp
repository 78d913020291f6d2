// Doubt under a likelihood of two classes. p(y = +1 | f) grows with f, so quantiles of p are those of f. The entropy of p(f) is
// integrated by the trapezoid rule with nodes m + k step: the density of f is entire, and p is analytic within a distance of at least
// pi (logistic) of the real axis, so an error of 1e-8 takes a step of at most 1, or half a standard deviation. Beyond |f| = 40
// there is no entropy.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "likelihood/likelihood.hpp"

namespace induce::detail {

void BinaryLikelihood::probability_range(const double* m, const double* S2, const double* /*p*/, double* low,
                                         double* high) const {
  const double reach = quantile_97_5 * std::sqrt(*S2);
  low[1] = probability(*m - reach, 0);
  high[1] = probability(*m + reach, 0);
  low[0] = 1 - high[1];
  high[0] = 1 - low[1];
}

void BinaryLikelihood::expected_entropy(const double* m, const double* S2, Index count, double* H) const {
  constexpr double deviations = 8, last = 40;
  const auto entropy = [this](double f) {
    const double p = probability(f, 0), q = 1 - p;
    return -(p > 0 ? p * std::log(p) : 0) - (q > 0 ? q * std::log(q) : 0);
  };
  for (Index i = 0; i < count; ++i) {
    const double s = std::sqrt(S2[i]), step = std::min(1.0, s / 2);
    if (step == 0) {
      H[i] = entropy(m[i]);
      continue;
    }
    const double from = std::max(-deviations * s, -last - m[i]), to = std::min(deviations * s, last - m[i]);
    double sum = 0;
    for (double k = std::ceil(from / step); k * step <= to; ++k) {
      const double z = k * step / s;
      sum += std::exp(-z * z / 2) * entropy(m[i] + k * step);
    }
    H[i] = sum * step / s / std::sqrt(2 * std::numbers::pi);
  }
}

}  // namespace induce::detail
