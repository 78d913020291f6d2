// A posterior in the place of the prior: how a model learns more rows at the same theta and Z.
//
// With q_0 = N(a_0, C_0) of the rows before, and Q = V diag(w) V', b = V t' of the new rows alone (posterior.hpp),
//   C^-1 = C_0^-1 + Q,      C^-1 a = C_0^-1 a_0 + b:
// at fixed sites this is the posterior of all rows. C_0^-1 = B would lose its digits where the old rows leave no doubt, for then
// D_0 = I - C_0 is nearly I. It is never formed. With C_0 = R R',
//   N = I + R'Q R,   C = R N^-1 R',   h = b - Q a_0,   a = a_0 + C h,
//   KL(q || q_0) = (tr N^-1 - M + |N^-1 R'h|^2 + log |N|)/2,
// and the errors of D = I - C are those of D_0. The bound of the new rows is sum_i E_q log p(y_i | f_i) - KL(q || q_0).
//
// If the old rows count r times, Q_old and b_old become r Q_old and r b_old. With F = r I + (1 - r) C_0,
//   C = F^-1 C_0,      D = r F^-1 D_0,      a = r F^-1 a_0.
#pragma once

#include "core/posterior.hpp"

namespace induce::detail {

class OldPosterior {
 public:
  // Refers to q, which must outlive it. ok() is false if its covariance is not one.
  explicit OldPosterior(const Posterior& q);
  bool ok() const { return ok_; }

  // For latent function c of the sums over the new rows. Returns KL(q || q_0); `out` is complete. INFINITY if a number is not
  // finite.
  double learn(const Frame& frame, Sums& sums, Index c, Posterior& out) const;

 private:
  const Posterior& old_;
  Matrix R_;
  bool ok_ = false;
};

// 0 < r <= 1. Needs no more of the frame than a complete posterior does.
Posterior forget(const Frame& frame, const Posterior& q, double r);

}  // namespace induce::detail
