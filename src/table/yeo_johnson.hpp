// The Yeo-Johnson power transform (2000): a monotone map of the line that fixes 0, with slope 1 there, and
// pulls in or stretches the tails.
//   psi(x) = ((1 + x)^p - 1)/p              x >= 0,   log(1 + x)   for p = 0
//   psi(x) = -((1 - x)^(2-p) - 1)/(2 - p)   x < 0,   -log(1 - x)  for p = 2
// p = 1 is the identity. The exponent is the one that makes a feature look most normal: with z = psi(x) and
// sign s, it maximises
//   -n/2 log var z + (p - 1) sum s_i log(1 + |x_i|)        (rows counted by their weights).
#pragma once

#include <vector>

namespace induce {

// Beyond these a transform only serves features that are nearly constant.
inline constexpr double lowest_exponent = -4, highest_exponent = 6;

double yeo_johnson(double x, double exponent);

// The inverse; arguments out of its range (which is bounded above for p < 0 and below for p > 2) give the
// largest |x| that is told apart from infinity, 1e6.
double yeo_johnson_inverse(double z, double exponent);

struct PowerFit {
  double exponent = 1;
  double log_likelihood = 0;  // per value, of the values themselves: comparable between origins and units
};

// The best exponent for these values, whose shares add up to 1; 1 if they take no more than two values.
PowerFit fit_yeo_johnson(const std::vector<double>& x, const std::vector<double>& share);

}  // namespace induce
