#include "likelihood/logistic_likelihood.hpp"

#include <cmath>

#include "likelihood/logistic.hpp"

namespace induce {

void LogisticLikelihood::expectations(const double* y, const double* m, const double* S2, Index count,
                                      double* value, double* slope, double* curvature) const {
  for (Index i = 0; i < count; ++i) value[i] = y[i] * m[i];
  expected_log_sigmoid(value, S2, static_cast<std::size_t>(count), value, slope, curvature);
  for (Index i = 0; i < count; ++i) slope[i] *= y[i];
}

void LogisticLikelihood::expected_log(const double* y, const double* m, const double* S2, Index count,
                                      double* value) const {
  for (Index i = 0; i < count; ++i) value[i] = y[i] * m[i];
  expected_log_sigmoid(value, S2, static_cast<std::size_t>(count), value);
}

double LogisticLikelihood::probability(double m, double S2) const { return expected_sigmoid(m, S2); }

double LogisticLikelihood::latent_of(double probability) const {
  return std::log(probability / (1 - probability));
}

}  // namespace induce
