// The logistic likelihood p(y = +1 given f) = sigma(f) = 1 / (1 + e^-f) and its means under f ~ N(mean,
// variance). l(f) = log sigma(f); for y = -1 replace mean by -mean (and the slope's sign).
#pragma once

#include <cstddef>

namespace induce {

double sigmoid(double x);
double log_sigmoid(double x);

// P(y = +1) = E[sigma(f)], and its logarithm. Accurate in relative terms down to the smallest doubles, and
// the logarithm beyond them. variance >= 0. See logistic_predictive.cpp.
double expected_sigmoid(double mean, double variance);
double log_expected_sigmoid(double mean, double variance);

// For each of `count` rows E[l], E[l'] and E[l''] <= 0, each within 3e-10. The three are exact derivatives,
// in the mean, of one smooth function, and its derivative in the variance is E[l'']/2. variance >= 0. See
// logistic.cpp.
void expected_log_sigmoid(const double* mean, const double* variance, std::size_t count, double* value,
                          double* slope, double* curvature);
void expected_log_sigmoid(const double* mean, const double* variance, std::size_t count, double* value);

}  // namespace induce
