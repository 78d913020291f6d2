#include "likelihood/logistic_likelihood.hpp"

#include <cmath>

#include "likelihood/logistic.hpp"

namespace induce::detail {

void LogisticLikelihood::positive_expectations(const double* m, const double* S2, std::size_t count,
                                               double* value, double* slope, double* curvature) const {
  expected_log_sigmoid(m, S2, count, value, slope, curvature);
}

void LogisticLikelihood::positive_expected_log(const double* m, const double* S2, std::size_t count,
                                               double* value) const {
  expected_log_sigmoid(m, S2, count, value);
}

double LogisticLikelihood::probability(double m, double S2) const { return expected_sigmoid(m, S2); }

double LogisticLikelihood::latent_of(double probability) const {
  return std::log(probability / (1 - probability));
}

}  // namespace induce::detail
