#include "likelihood/thresholds.hpp"

#include <cmath>

namespace induce::detail {

Vector pack_thresholds(const Vector& b) {
  Vector x = b;
  for (Index k = 1; k < b.size(); ++k) x[k] = std::log(b[k] - b[k - 1]);
  return x;
}

Vector unpack_thresholds(const Vector& x) {
  Vector b = x;
  for (Index k = 1; k < b.size(); ++k) b[k] = b[k - 1] + std::exp(x[k]);
  return b;
}

Vector packed_slopes(const Vector& b, const Vector& slopes) {
  Vector out(b.size());
  double later = 0;
  for (Index k = b.size() - 1; k >= 0; --k) {
    later += slopes[k];
    out[k] = k > 0 ? later * (b[k] - b[k - 1]) : later;
  }
  return out;
}

double log_prior_of_gaps(const Vector& b, Eigen::Ref<Vector> gradient) {
  constexpr double deviation = 2;
  const double middle = std::log(4 / static_cast<double>(b.size() + 1));
  double value = 0;
  for (Index k = 1; k < b.size(); ++k) {
    const double z = (std::log(b[k] - b[k - 1]) - middle) / deviation;
    value -= z * z / 2;
    gradient[k] -= z / deviation;
  }
  return value;
}

bool are_thresholds(const Vector& b) {
  constexpr double rounding = 1e-6;  // of a gap at the end of the range
  for (Index k = 0; k < b.size(); ++k) {
    if (!std::isfinite(b[k])) return false;
    if (k > 0 && !(b[k] - b[k - 1] >= smallest_gap * (1 - rounding))) return false;
  }
  return true;
}

}  // namespace induce::detail
