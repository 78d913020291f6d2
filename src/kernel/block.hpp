// A kernel on a block of rows: the covariance with the inducing inputs, and the way back from an adjoint.
//
// Inputs are divided by the length-scales first: X_s (b x d, row-major), Z_s (m x d). Then
//   r2_ji = |x_i - z_j|^2,   K_ji = sigma_f^2 rho(r2_ji)                                             (m x b)
// and for an adjoint G = dF/dK (m x b), with H = G o sigma_f^2 s(r2) (s is the shape's slope),
//   dF/dlog l_f  = sum_ji H_ji (x_if - z_jf)^2
//                = sum_i x_if^2 (1'H)_i + sum_j z_jf^2 (H1)_j - 2 sum_j z_jf U_jf,   U = H X_s       (m x d)
//   dF/dz_jf     = (U_jf - (H1)_j z_jf) / l_f                                      (z_jf unscaled on the
//   left) dF/dlog sigma_f = 2 sum_ji G_ji K_ji.
// So U, H1, the weighted squares and one scalar, all sums over rows, are all that a block leaves behind:
// never a derivative matrix per parameter.
#pragma once

#include "kernel/hyper.hpp"
#include "kernel/shape.hpp"
#include "linalg/types.hpp"

namespace induce {

// X_s := X diag(inverse_lengthscales), b rows of d; what is farther than 1e100 or infinite is put there.
void scale_rows(const double* X, Index b, const Vector& inverse_lengthscales, double* X_s);

// K := sigma_f^2 rho(r2), m x b. Z_s must be column-major (feature after feature).
void covariance_block(const Shape& shape, double variance, const double* X_s, Index b, const Matrix& Z_s,
                      double* K);

class KernelPullback {
 public:
  KernelPullback() = default;
  KernelPullback(Index m, Index d) { clear(m, d); }

  void clear(Index m, Index d);
  // Adds one block. G is overwritten; scratch (m x b) may be any buffer that is no longer needed, K included
  // only if the shape's slope is its covariance.
  void add(const Shape& shape, double variance, const double* X_s, Index b, const Matrix& Z_s,
           const double* K, double* G, double* scratch);
  KernelPullback& operator+=(const KernelPullback& other);

  double log_signal_std() const { return 2 * GK_; }
  Vector log_lengthscales(const Matrix& Z_s) const;                            // d
  Matrix inputs(const Matrix& Z_s, const Vector& inverse_lengthscales) const;  // m x d

 private:
  Matrix U_;                 // m x d
  Vector H1_;                // m
  Vector weighted_squares_;  // d: sum_i x_if^2 (1'H)_i
  double GK_ = 0;
};

}  // namespace induce
