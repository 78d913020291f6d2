#include "core/posterior.hpp"
#include "core/fitted.hpp"

#include <cmath>
#include <utility>

#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

// Fills what is for rows, from a and D.
void unwhiten(const Frame& frame, Posterior& q) {
  const Index m = frame.m(), values = frame.values();
  q.alpha = q.a.head(m);
  blas::solve_lower_transposed(frame.L, q.alpha.data(), 1);
  q.P = q.D.topLeftCorner(m, m);
  blas::solve_lower_transposed(frame.L, q.P.data(), q.P.cols());
  if (values == 0) return;
  const PlacedTerms& terms = *frame.terms();
  Matrix row = q.a.tail(values).transpose();
  terms.times_transposed_factor(row);
  q.beta = row.transpose();
  q.Y = -q.D.topRightCorner(m, values);
  terms.times_transposed_factor(q.Y);
  blas::solve_lower_transposed(frame.L, q.Y.data(), values);
  Matrix S = -q.D.bottomRightCorner(values, values);
  S.diagonal().array() += 1;
  terms.times_transposed_factor(S);
  S.transposeInPlace();
  terms.times_transposed_factor(S);
  q.tables = terms.terms().to_tables(S);
}

// Q and b of phi from the sums over [v; h].
void gather_sums(const Frame& frame, Sums& sums, Index c, Collapsed& out) {
  out.b = sums.b(c);
  if (!frame.terms()) {
    out.Q = sums.Q(c);
    blas::mirror_lower(out.Q);
    return;
  }
  const Index m = frame.m(), values = frame.values();
  const PlacedTerms& terms = *frame.terms();
  out.Q.resize(m + values, m + values);
  out.Q.topLeftCorner(m, m) = sums.Q(c);
  Matrix block = sums.VH(c);
  terms.times_factor(block);
  out.Q.bottomLeftCorner(values, m) = block.transpose();
  block = terms.terms().from_tables(sums.HH(c));
  terms.times_factor(block);
  block.transposeInPlace();
  terms.times_factor(block);
  out.Q.bottomRightCorner(values, values) = block;
  blas::mirror_lower(out.Q);
  Matrix row = out.b.tail(values).transpose();
  terms.times_factor(row);
  out.b.tail(values) = row.transpose();
}

}  // namespace

void collapse(const Frame& frame, Sums& sums, Collapsed& out, Index c) {
  out.ok = false;
  gather_sums(frame, sums, c, out);
  out.L_B = out.Q;
  out.L_B.diagonal().array() += 1;
  if (!blas::cholesky(out.L_B)) return;

  Posterior& q = out.q;
  q.a = out.b;
  blas::solve_lower(out.L_B, q.a.data(), 1);
  blas::solve_lower_transposed(out.L_B, q.a.data(), 1);
  q.D = out.L_B;
  blas::cholesky_to_inverse(q.D);
  q.D *= -1;
  q.D.diagonal().array() += 1;
  unwhiten(frame, q);

  const double trace = out.Q.diagonal().head(frame.m()).sum();  // of v
  out.sparsity_price = (sums.w(c) * frame.placed->diagonal() - trace) / 2;
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
  Posterior q{Vector::Zero(frame.size()), Matrix::Identity(frame.size(), frame.size()), {}, {}};
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
