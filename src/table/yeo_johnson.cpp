#include "table/yeo_johnson.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace induce::detail {
namespace {

constexpr double max_inverse = 1e6;

// ((1 + x)^p - 1)/p from l = log(1 + x).
double power(double l, double p) { return p == 0 ? l : std::expm1(p * l) / p; }

// The l that power() maps to z.
double inverse_power(double z, double p) {
  if (p == 0) return z;
  return p * z > -1 ? std::log1p(p * z) / p : std::numeric_limits<double>::infinity();
}

// Log likelihood per value of a normal distribution of psi(x), where |x| = exp(l) - 1.
class NormalLikelihood {
 public:
  NormalLikelihood(const std::vector<double>& x, const std::vector<double>& share)
      : x_(x), share_(share), l_(x.size()), z_(x.size()) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      l_[i] = std::log1p(std::fabs(x[i]));
      signed_mean_ += share[i] * (x[i] < 0 ? -l_[i] : l_[i]);
    }
  }

  double operator()(double p) const {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      z_[i] = x_[i] < 0 ? -power(l_[i], 2 - p) : power(l_[i], p);
      mean += share_[i] * z_[i];
    }
    for (std::size_t i = 0; i < z_.size(); ++i) variance += share_[i] * (z_[i] - mean) * (z_[i] - mean);
    return -std::log(variance) / 2 + (p - 1) * signed_mean_;
  }

 private:
  const std::vector<double>&x_, &share_;
  std::vector<double> l_;
  mutable std::vector<double> z_;
  double signed_mean_ = 0;
};

bool more_than_two_values(const std::vector<double>& x) {
  if (x.empty()) return false;
  const auto second = std::find_if(x.begin(), x.end(), [&](double v) { return v != x[0]; });
  return std::any_of(second, x.end(), [&](double v) { return v != x[0] && v != *second; });
}

}  // namespace

double yeo_johnson(double x, double exponent) {
  if (exponent == 1) return x;
  return x < 0 ? -power(std::log1p(-x), 2 - exponent) : power(std::log1p(x), exponent);
}

double yeo_johnson_inverse(double z, double exponent) {
  if (exponent == 1) return z;
  const double magnitude = std::expm1(z < 0 ? inverse_power(-z, 2 - exponent) : inverse_power(z, exponent));
  return std::copysign(std::min(magnitude, max_inverse), z);
}

PowerFit fit_yeo_johnson(const std::vector<double>& x, const std::vector<double>& share) {
  if (!more_than_two_values(x)) return {};
  const NormalLikelihood likelihood(x, share);
  // Golden-section search: the likelihood is unimodal.
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = lowest_exponent, high = highest_exponent;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = likelihood(a), at_b = likelihood(b);
  while (high - low > 1e-3) {
    if (at_a > at_b) {
      high = b;
      b = a;
      at_b = at_a;
      at_a = likelihood(a = high - ratio * (high - low));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      at_b = likelihood(b = low + ratio * (high - low));
    }
  }
  const double best = (low + high) / 2, value = likelihood(best);
  return std::isfinite(value) ? PowerFit{best, value} : PowerFit{};
}

}  // namespace induce::detail
