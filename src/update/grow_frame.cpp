#include "update/grow_frame.hpp"

#include <utility>

#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

// Zeros after the first m entries, before those of the terms.
Vector with_zeros(const Vector& a, Index m, Index more) {
  Vector out = Vector::Zero(a.size() + more);
  out.head(m) = a.head(m);
  out.tail(a.size() - m) = a.tail(a.size() - m);
  return out;
}

Matrix with_zeros(const Matrix& D, Index m, Index more) {
  const Index rest = D.rows() - m;
  Matrix out = Matrix::Zero(D.rows() + more, D.cols() + more);
  out.topLeftCorner(m, m) = D.topLeftCorner(m, m);
  out.topRightCorner(m, rest) = D.topRightCorner(m, rest);
  out.bottomLeftCorner(rest, m) = D.bottomLeftCorner(rest, m);
  out.bottomRightCorner(rest, rest) = D.bottomRightCorner(rest, rest);
  return out;
}

}  // namespace

Index grow_frame(Fitted& fitted, const Matrix& Z_more) {
  const Frame& old = fitted.frame;
  const Index m = old.m(), more = Z_more.rows();
  if (more == 0 || m == 0) return 0;
  Prior prior = old.prior;
  prior.Z.resize(m + more, old.d());
  prior.Z << old.prior.Z, Z_more;
  const auto placed = old.kernel->place(prior.theta.data(), prior.Z);
  if (!placed->inputs_within_reach()) return 0;
  Matrix K;
  placed->inducing_covariance(K);
  K.diagonal().array() += old.jitter * placed->signal_variance();
  Matrix A = K.topRightCorner(m, more);  // K_m+, then A'
  blas::solve_lower(old.L, A.data(), more);
  Matrix L_more = K.bottomRightCorner(more, more);
  L_more.noalias() -= A.transpose() * A;
  if (!L_more.allFinite() || !blas::cholesky(L_more)) return 0;
  Matrix L = Matrix::Zero(m + more, m + more);
  L.topLeftCorner(m, m) = old.L;
  L.bottomLeftCorner(more, m) = A.transpose();
  L.bottomRightCorner(more, more) = L_more;
  Fitted grown{restore_frame(old.kernel, prior, std::move(L), old.jitter), {}};
  for (const Posterior& q : fitted.q)
    grown.q.push_back(restore_posterior(grown.frame, with_zeros(q.a, m, more), with_zeros(q.D, m, more)));
  fitted = std::move(grown);
  return more;
}

}  // namespace induce::detail
