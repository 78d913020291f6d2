// The Yeo-Johnson power transform (2000): a monotone map of the real line with psi(0) = 0 and psi'(0) = 1
// that compresses or stretches the tails.
//   psi(x) = ((1 + x)^p - 1)/p              x >= 0,   log(1 + x)   for p = 0
//   psi(x) = -((1 - x)^(2-p) - 1)/(2 - p)   x < 0,   -log(1 - x)  for p = 2
// p = 1 is the identity. The exponent is chosen to make a feature as normal as possible: with z = psi(x) and
// s_i = sign(x_i), it maximises
//   -n/2 log var z + (p - 1) sum s_i log(1 + |x_i|)        (rows weighted).
#pragma once

#include <vector>

namespace induce::detail {

// Exponents beyond these help only nearly constant features.
inline constexpr double lowest_exponent = -4, highest_exponent = 6;

double yeo_johnson(double x, double exponent);

// The inverse. The range of psi is bounded above for p < 0 and below for p > 2; outside it, and wherever |x|
// would exceed 1e6, |x| is 1e6.
double yeo_johnson_inverse(double z, double exponent);

struct PowerFit {
  double exponent = 1;
  double log_likelihood = 0;  // per value, of x and not of psi(x): comparable between origins and units
};

// Fits the exponent to values x with weights `share` that sum to 1. The exponent is 1 if x has at most two
// distinct values.
PowerFit fit_yeo_johnson(const std::vector<double>& x, const std::vector<double>& share);

}  // namespace induce::detail
