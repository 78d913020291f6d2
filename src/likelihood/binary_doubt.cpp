// Doubt under a likelihood of two classes. p(y = +1 | f) grows with f, so quantiles of p are those of f. The entropy of p(f) is
// integrated by the trapezoid rule: the density of f is entire, and p is analytic within a distance of at least
// pi (logistic) of the real axis, so an error of 1e-8 takes a step of at most 1, or half a standard deviation. Beyond |f| = 40
// there is no entropy.
#include <cmath>

#include "likelihood/likelihood.hpp"
#include "likelihood/trapezoid.hpp"

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
  constexpr double last = 40;
  const auto entropy = [this](double f) {
    const double p = probability(f, 0), q = 1 - p;
    return -(p > 0 ? p * std::log(p) : 0) - (q > 0 ? q * std::log(q) : 0);
  };
  for (Index i = 0; i < count; ++i) H[i] = expected_between(-last, last, m[i], S2[i], entropy);
}

}  // namespace induce::detail
