#include "core/tight_trace.hpp"

#include <algorithm>
#include <cmath>

namespace induce::detail {

double tight_shrink(double w, double weight, double residual) {
  return weight > 0 ? 1 / (1 + w / weight * residual) : 1;
}

double tight_gain(double w, double weight, double residual) {
  return (w * residual + weight * std::log(tight_shrink(w, weight, residual))) / 2;
}

double tight_gain_slope(double w, double weight, double residual) {
  return w / 2 * (1 - tight_shrink(w, weight, residual));
}

double tight_variance(double w, double weight, double residual, double S2) {
  return std::max(S2 - residual + residual * tight_shrink(w, weight, residual), 0.0);
}

Gradient tight_gain_gradient(const Frame& frame, RowAdjoint& of_minus_gain) {
  complete_moments(of_minus_gain);
  Gradient minus = gradient(frame, of_minus_gain, unwhiten_adjoint(frame, of_minus_gain.VsV()));
  minus *= -1;
  return minus;
}

}  // namespace induce::detail
