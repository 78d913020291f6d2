// The logistic likelihood p(y = +1 | f) = sigma(f) = 1 / (1 + e^-f) and its expectations under
// f ~ N(mean, variance). l(f) = log sigma(f); for y = -1 negate the mean and the slope.
#pragma once

#include <cstddef>

namespace induce::detail {

double sigmoid(double x);
double log_sigmoid(double x);

// P(y = +1) = E[sigma(f)], and its logarithm. The relative error is small down to the smallest doubles; the
// logarithm is accurate even below them. variance >= 0. See logistic_predictive.cpp.
double expected_sigmoid(double mean, double variance);
double log_expected_sigmoid(double mean, double variance);

// For each of `count` rows E[l], E[l'] and E[l''] <= 0, each within 3e-10. The three are one smooth function and
// its exact derivatives with respect to the mean; the derivative with respect to the variance is E[l'']/2.
// variance >= 0. See logistic.cpp.
void expected_log_sigmoid(const double* mean, const double* variance, std::size_t count, double* value,
                          double* slope, double* curvature);
void expected_log_sigmoid(const double* mean, const double* variance, std::size_t count, double* value);

}  // namespace induce::detail
