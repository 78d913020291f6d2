// The Matern family, rho = 2^(1-nu)/Gamma(nu) z^nu K_nu(z), z = sqrt(2 nu) r (erratum E9 of docs/math.md).
// Half-integers have closed forms; with r = sqrt(r^2) and s = -(1/r) d rho/d r:
//   nu = 1/2: rho = exp(-r)                              s = exp(-r) / r             (pole at 0)
//   nu = 3/2: rho = (1 + z) exp(-z),         z = sqrt3 r   s = 3 exp(-z)
//   nu = 5/2: rho = (1 + z + z^2/3) exp(-z), z = sqrt5 r   s = 5/3 (1 + z) exp(-z)
// Any other nu (given, not learned) uses Bessel functions. From d/dz [z^nu K_nu(z)] = -z^nu K_(nu-1)(z):
//   s = 2 nu 2^(1-nu)/Gamma(nu) z^(nu-1) K_(nu-1)(z).
// Near 0, where z^nu K_nu is 0 * infinity, the leading terms of its series are used:
//   rho = 1 - Gamma(1-nu)/Gamma(1+nu) (z/2)^(2 nu) + z^2/(4 (1-nu)) ...
#pragma once

#include "kernel/shape.hpp"

namespace induce::detail {

class Matern12 final : public Shape {
 public:
  void covariance(double* r2, Index count, double variance) const override;
  void slope(double* r2, Index count, double variance) const override;
  void add_line(double x, const double* z, Index m, double variance, double* K) const override;
  bool smooth_at_zero() const override { return false; }
};

class Matern32 final : public Shape {
 public:
  void covariance(double* r2, Index count, double variance) const override;
  void slope(double* r2, Index count, double variance) const override;
  void add_line(double x, const double* z, Index m, double variance, double* K) const override;
};

class Matern52 final : public Shape {
 public:
  void covariance(double* r2, Index count, double variance) const override;
  void slope(double* r2, Index count, double variance) const override;
  void add_line(double x, const double* z, Index m, double variance, double* K) const override;
};

inline constexpr double smallest_nu = 0.1, largest_nu = 30;

class MaternBessel final : public Shape {
 public:
  explicit MaternBessel(double nu);
  void covariance(double* r2, Index count, double variance) const override;
  void slope(double* r2, Index count, double variance) const override;
  bool smooth_at_zero() const override { return nu_ > 1; }

 private:
  // 2^(1-nu)/Gamma(nu) z^order K_|order|(z), with its limit at 0 (infinite limits become 0: see slope()).
  double scaled_bessel(double order, double z) const;
  double nu_;
  double log_constant_;  // log(2^(1-nu)/Gamma(nu))
};

}  // namespace induce::detail
