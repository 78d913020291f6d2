// rho = exp(-r^2 / 2) (erratum E3 of docs/math.md: the 2 l^2 form), s = exp(-r^2 / 2).
#pragma once

#include "kernel/shape.hpp"

namespace induce::detail {

class SquaredExponential final : public Shape {
 public:
  void covariance(double* r2, Index count, double variance) const override;
  void slope(double* r2, Index count, double variance) const override { covariance(r2, count, variance); }
  void add_line(double x, const double* z, Index m, double variance, double* K) const override;
  bool slope_is_covariance() const override { return true; }
};

}  // namespace induce::detail
