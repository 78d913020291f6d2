// The probit likelihood p(y = +1 | f) = Phi(f), the normal distribution function, and its expectations under
// f ~ N(mean, variance). l(f) = log Phi(f); for y = -1 negate the mean and the slope.
#pragma once

#include <cstddef>

namespace induce::detail {

// Relative error below 3e-13, however small the value; the logarithm also if Phi(x) is below the smallest double.
double normal_cdf(double x);
double log_normal_cdf(double x);

// P(y = +1) = E[Phi(f)] = Phi(mean / sqrt(1 + variance)), and its logarithm. variance >= 0.
double expected_normal_cdf(double mean, double variance);
double log_expected_normal_cdf(double mean, double variance);

// For each of `count` rows E[l] <= 0, E[l'] >= 0 and E[l''] in [-1, 0], within 3e-10 times 1 + |E[l]|,
// 1 + E[l'] and 1 + E[l']. The three are one smooth function and its exact derivatives with respect to the mean;
// the derivative with respect to the variance is E[l'']/2. variance >= 0. `value` may alias `mean`.
// See probit.cpp.
void expected_log_normal_cdf(const double* mean, const double* variance, std::size_t count, double* value,
                             double* slope, double* curvature);
void expected_log_normal_cdf(const double* mean, const double* variance, std::size_t count, double* value);

}  // namespace induce::detail
