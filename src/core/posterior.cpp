#include "core/posterior.hpp"
#include "core/fitted.hpp"

#include <cmath>
#include <utility>

#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

// Fills alpha and P from a and D.
void unwhiten(const Frame& frame, Posterior& q) {
  q.alpha = q.a;
  blas::solve_lower_transposed(frame.L, q.alpha.data(), 1);
  q.P = q.D;
  blas::solve_lower_transposed(frame.L, q.P.data(), q.P.cols());
}

}  // namespace

void collapse(const Frame& frame, Sums& sums, Collapsed& out, Index c) {
  out.ok = false;
  out.Q = sums.Q(c);
  blas::mirror_lower(out.Q);
  out.L_B = out.Q;
  out.L_B.diagonal().array() += 1;
  if (!blas::cholesky(out.L_B)) return;

  Posterior& q = out.q;
  out.b = sums.b(c);
  q.a = out.b;
  blas::solve_lower(out.L_B, q.a.data(), 1);
  blas::solve_lower_transposed(out.L_B, q.a.data(), 1);
  q.D = out.L_B;
  blas::cholesky_to_inverse(q.D);
  q.D *= -1;
  q.D.diagonal().array() += 1;
  unwhiten(frame, q);

  out.sparsity_price = (sums.w(c) * frame.placed->diagonal() - out.Q.trace()) / 2;
  out.F = sums.c(c) + out.b.dot(q.a) / 2 - out.L_B.diagonal().array().log().sum() - out.sparsity_price;
  out.ok = std::isfinite(out.F);
}

Posterior posterior_from(const Frame& frame, const Vector& mu, const Matrix& R) {
  Posterior q;
  q.a = mu;
  blas::solve_lower(frame.L, q.a.data(), 1);
  Matrix W = R;  // L^-1 R, C = W W'
  blas::solve_lower(frame.L, W.data(), W.cols());
  q.D = Matrix::Identity(frame.m(), frame.m());
  q.D.noalias() -= W * W.transpose();
  unwhiten(frame, q);
  return q;
}

Posterior certain_posterior(const Frame& frame) {
  Posterior q{Vector::Zero(frame.m()), Matrix::Identity(frame.m(), frame.m()), {}, {}};
  unwhiten(frame, q);
  return q;
}

Posterior restore_posterior(const Frame& frame, Vector a, Matrix D) {
  const blas::Buffers buffers(1);
  const blas::SingleThreadedBlas single;  // as in the fit, for bitwise identical results
  Posterior q{std::move(a), std::move(D), {}, {}};
  unwhiten(frame, q);
  return q;
}

Vector natural_mean(const Frame& frame, const Posterior& q) {
  return frame.L.triangularView<Eigen::Lower>() * q.a;
}

Matrix natural_covariance(const Frame& frame, const Posterior& q) {
  return frame.L * (Matrix::Identity(frame.m(), frame.m()) - q.D) * frame.L.transpose();
}

double kl_divergence(const Posterior& q) {
  const Index m = q.a.size();
  Matrix C = Matrix::Identity(m, m) - q.D;
  const double trace = C.trace();
  if (!blas::cholesky(C)) return INFINITY;
  return (trace + q.a.squaredNorm() - static_cast<double>(m)) / 2 - C.diagonal().array().log().sum();
}

}  // namespace induce::detail
