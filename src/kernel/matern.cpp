#include "kernel/matern.hpp"

#include <cmath>

#include "kernel/line.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/vector_math.hpp"

namespace induce::detail {
namespace {

INDUCE_MULTIVERSION
void covariance12(double* r2, Index count, double variance) {
  for (Index i = 0; i < count; ++i) r2[i] = variance * exp_fast(-std::sqrt(r2[i]));
}
INDUCE_MULTIVERSION
void slope12(double* r2, Index count, double variance) {
  for (Index i = 0; i < count; ++i) {
    const double r = std::sqrt(r2[i]);
    r2[i] = r > 0 ? variance * exp_fast(-r) / r : 0.0;
  }
}
INDUCE_MULTIVERSION
void covariance32(double* r2, Index count, double variance) {
  for (Index i = 0; i < count; ++i) {
    const double z = std::sqrt(3 * r2[i]);
    r2[i] = variance * (1 + z) * exp_fast(-z);
  }
}
INDUCE_MULTIVERSION
void slope32(double* r2, Index count, double variance) {
  for (Index i = 0; i < count; ++i) r2[i] = 3 * variance * exp_fast(-std::sqrt(3 * r2[i]));
}
INDUCE_MULTIVERSION
void covariance52(double* r2, Index count, double variance) {
  for (Index i = 0; i < count; ++i) {
    const double z = std::sqrt(5 * r2[i]);
    r2[i] = variance * (1 + z + z * z / 3) * exp_fast(-z);
  }
}
INDUCE_MULTIVERSION
void slope52(double* r2, Index count, double variance) {
  for (Index i = 0; i < count; ++i) {
    const double z = std::sqrt(5 * r2[i]);
    r2[i] = 5.0 / 3.0 * variance * (1 + z) * exp_fast(-z);
  }
}

INDUCE_ALWAYS_INLINE double rho12(double r) { return exp_fast(-r); }
INDUCE_MULTIVERSION
void add_line12(double x, const double* z, Index m, double variance, double* K) {
  add_line_of(x, z, m, variance, K, [](double r) INDUCE_INLINE_LAMBDA { return rho12(r); });
}

INDUCE_ALWAYS_INLINE double rho32(double r) {
  constexpr double root3 = 1.7320508075688772;
  const double z = root3 * r;
  return (1 + z) * exp_fast(-z);
}
INDUCE_MULTIVERSION
void add_line32(double x, const double* z, Index m, double variance, double* K) {
  add_line_of(x, z, m, variance, K, [](double r) INDUCE_INLINE_LAMBDA { return rho32(r); });
}

INDUCE_ALWAYS_INLINE double rho52(double r) {
  constexpr double root5 = 2.23606797749979;
  const double z = root5 * r;
  return (1 + z + z * z / 3) * exp_fast(-z);
}
INDUCE_MULTIVERSION
void add_line52(double x, const double* z, Index m, double variance, double* K) {
  add_line_of(x, z, m, variance, K, [](double r) INDUCE_INLINE_LAMBDA { return rho52(r); });
}

}  // namespace

void Matern12::covariance(double* r2, Index count, double variance) const {
  covariance12(r2, count, variance);
}
void Matern12::slope(double* r2, Index count, double variance) const { slope12(r2, count, variance); }
void Matern32::covariance(double* r2, Index count, double variance) const {
  covariance32(r2, count, variance);
}
void Matern32::slope(double* r2, Index count, double variance) const { slope32(r2, count, variance); }
void Matern52::covariance(double* r2, Index count, double variance) const {
  covariance52(r2, count, variance);
}
void Matern52::slope(double* r2, Index count, double variance) const { slope52(r2, count, variance); }

void Matern12::add_line(double x, const double* z, Index m, double variance, double* K) const {
  add_line12(x, z, m, variance, K);
}

void Matern32::add_line(double x, const double* z, Index m, double variance, double* K) const {
  add_line32(x, z, m, variance, K);
}

void Matern52::add_line(double x, const double* z, Index m, double variance, double* K) const {
  add_line52(x, z, m, variance, K);
}

namespace {

// std::lgamma writes the sign to a global, which threads share.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace

MaternBessel::MaternBessel(double nu) : nu_(nu), log_constant_((1 - nu) * std::log(2.0) - log_gamma(nu)) {}

double MaternBessel::scaled_bessel(double order, double z) const {
  const double v = std::abs(order);
  if (z > 700) return 0;  // K_v(z) < exp(-700)
  if (z < 1e-8 * (1 + v)) {
    // z^order K_v(z) -> 2^(v-1) Gamma(v) for order > 0; a pole for order <= 0.
    return order > 0 ? std::exp(log_constant_ + (v - 1) * std::log(2.0) + log_gamma(v)) : 0.0;
  }
  return std::exp(log_constant_ + order * std::log(z)) * std::cyl_bessel_k(v, z);
}

void MaternBessel::covariance(double* r2, Index count, double variance) const {
  for (Index i = 0; i < count; ++i) {
    const double z = std::sqrt(2 * nu_ * r2[i]);
    double rho = scaled_bessel(nu_, z);
    if (nu_ < 1 && z < 1e-8 * (1 + nu_) && z > 0)  // the first correction, z^(2 nu), is not negligible
      rho -= std::tgamma(1 - nu_) / std::tgamma(1 + nu_) * std::pow(z / 2, 2 * nu_);
    r2[i] = variance * rho;
  }
}

void MaternBessel::slope(double* r2, Index count, double variance) const {
  for (Index i = 0; i < count; ++i)
    r2[i] = variance * 2 * nu_ * scaled_bessel(nu_ - 1, std::sqrt(2 * nu_ * r2[i]));
}

}  // namespace induce::detail
