#include "core/onto.hpp"

#include <cmath>
#include <utility>

#include "core/fitted.hpp"
#include "linalg/blas.hpp"

namespace induce::detail {

OldPosterior::OldPosterior(const Posterior& q) : old_(q) {
  // Directions without doubt have a variance of rounding errors, which may be negative.
  constexpr double largest = 1e-8;
  for (double rounding = 0; rounding <= largest && !ok_; rounding = rounding > 0 ? 10 * rounding : 1e-15) {
    R_ = -q.D;
    R_.diagonal().array() += 1 + rounding;
    ok_ = blas::cholesky(R_);
  }
}

double OldPosterior::learn(const Frame& frame, Sums& sums, Index c, Posterior& out) const {
  const Index M = frame.size();
  Matrix Q;
  Vector h;  // M
  gather_sums(frame, sums, c, Q, h);
  h -= Q * old_.a;
  Matrix N = Q;
  blas::multiply_by_lower(R_, false, 1, N.data(), M);
  N.transposeInPlace();
  blas::multiply_by_lower(R_, false, 1, N.data(), M);  // R'Q R
  N.diagonal().array() += 1;
  if (!blas::cholesky(N)) return INFINITY;
  const double log_determinant = 2 * N.diagonal().array().log().sum();
  blas::cholesky_to_inverse(N);
  const Vector Rh = R_.transpose() * h, step = N * Rh;
  const double KL = (N.trace() - static_cast<double>(M) + step.squaredNorm() + log_determinant) / 2;
  Matrix C = N;
  blas::multiply_by_lower(R_, true, 1, C.data(), M);
  C.transposeInPlace();
  blas::multiply_by_lower(R_, true, 1, C.data(), M);  // R N^-1 R'
  C = (C + C.transpose()).eval() / 2;
  C *= -1;
  C.diagonal().array() += 1;
  out = restore_posterior(frame, old_.a + R_ * step, std::move(C));
  return out.a.allFinite() && out.D.allFinite() ? KL : INFINITY;
}

Posterior forget(const Frame& frame, const Posterior& q, double r) {
  if (r == 1) return q;
  // r I + (1 - r)(I - D) = I - (1 - r) D
  Matrix F = (r - 1) * q.D;
  F.diagonal().array() += 1;
  blas::cholesky(F);  // its eigenvalues are r or more
  Vector a = r * q.a;
  Matrix D = r * q.D;
  for (auto [x, columns] : {std::pair{a.data(), Index{1}}, {D.data(), D.cols()}}) {
    blas::solve_lower(F, x, columns);
    blas::solve_lower_transposed(F, x, columns);
  }
  D = (D + D.transpose()).eval() / 2;
  return restore_posterior(frame, std::move(a), std::move(D));
}

}  // namespace induce::detail
