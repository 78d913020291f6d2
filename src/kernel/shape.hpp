// The shape of a stationary kernel: k(x, z) = sigma_f^2 rho(r^2), r^2 = sum_f ((x_f - z_f)/l_f)^2.
//
// A kernel is a rho and its slope, s(r^2) = -2 d rho / d r^2, because by the chain rule
//   d k / d log l_f = sigma_f^2 s (x_f - z_f)^2 / l_f^2,     d k / d z_f = sigma_f^2 s (x_f - z_f) / l_f^2;
// everything else (scaling, blocks, contraction with an adjoint) is shared: stationary.hpp.
// A new shape takes one file with these two functions and one line in shapes.cpp; the tests iterate over
// that table.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

class Shape {
 public:
  virtual ~Shape() = default;

  // In place: r2[i] := variance * rho(r2[i]).
  virtual void covariance(double* r2, Index count, double variance) const = 0;
  // In place: r2[i] := variance * s(r2[i]). A pole of s at 0 is replaced by 0: there s only multiplies
  // (x - z) = 0.
  virtual void slope(double* r2, Index count, double variance) const = 0;

  // One row and one feature, for additive kernels of model files: K[j] += variance * rho((x - z[j])^2).
  virtual void add_line(double x, const double* z, Index m, double variance, double* K) const;

  // True for the squared exponential: s = rho, so the covariance can be reused as the slope.
  virtual bool slope_is_covariance() const { return false; }
  // False if rho is not differentiable in r^2 at 0: distances must then be computed without cancellation.
  virtual bool smooth_at_zero() const { return true; }
};

// Throws a usage Error that lists the known names.
std::unique_ptr<Shape> make_shape(std::string_view name);
// One name of each kind, for tests to iterate over: "se", ..., "matern:1.2".
const std::vector<std::string>& example_shapes();

}  // namespace induce::detail
