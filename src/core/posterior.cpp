#include "core/posterior.hpp"
#include "core/fitted.hpp"

#include <cmath>
#include <utility>

#include "core/large_algebra.hpp"
#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

// Of the lower triangle, row by row: the two terms of a table.
std::pair<Index, Index> terms_of_table(Index number) {
  Index p = 0;
  for (; number > p; ++p) number -= p + 1;
  return {p, number};
}

// Y and S, term by term: C has a block for each.
void unwhiten_terms(const Frame& frame, Posterior& q, const Tasks& tasks) {
  const PlacedTerms& placed = *frame.terms();
  const Terms& terms = placed.terms();
  const Index m = frame.m(), values = frame.values();
  q.Y = -q.D.topRightCorner(m, values);
  tasks.run(m > 0 ? terms.count() : 0, [&](Index p) {
    double* own = q.Y.data() + terms.at(p) * m;
    placed.times_transposed_factor(p, own, m);
    blas::solve_lower_transposed(frame.L, own, terms[p].size());
  });
  q.tables.resize(terms.tables());
  tasks.run(terms.count() * (terms.count() + 1) / 2, [&](Index number) {
    const auto [one, other] = terms_of_table(number);
    const Index rows = terms[one].size(), columns = terms[other].size();
    Matrix S = -q.D.block(m + terms.at(one), m + terms.at(other), rows, columns);
    if (one == other) S.diagonal().array() += 1;
    placed.times_transposed_factor(other, S.data(), rows);
    Eigen::Map<Matrix> table(q.tables.data() + terms.table(one, other), columns, rows);
    table = S.transpose();
    placed.times_transposed_factor(one, table.data(), columns);
  });
}

// Fills what is for rows, from a and D.
void unwhiten(const Frame& frame, Posterior& q, const Tasks& tasks = Tasks()) {
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
  unwhiten_terms(frame, q, tasks);
}

// The blocks of Q that belong to terms, in its lower triangle, and those of b, from the sums over [v; h].
void gather_terms(const Frame& frame, Sums& sums, Index c, Matrix& Q, Vector& b, const Tasks& tasks) {
  const PlacedTerms& placed = *frame.terms();
  const Terms& terms = placed.terms();
  const Index m = frame.m(), values = frame.values();
  const auto VH = sums.VH(c);
  const double* HH = sums.HH(c);
  tasks.run(terms.count(), [&](Index p) {
    Matrix block = VH.middleCols(terms.at(p), terms[p].size());
    placed.times_factor(p, block.data(), m);
    Q.block(m + terms.at(p), 0, block.cols(), m) = block.transpose();
  });
  tasks.run(terms.count() * (terms.count() + 1) / 2, [&](Index number) {
    const auto [one, other] = terms_of_table(number);
    const Index rows = terms[one].size(), columns = terms[other].size();
    Matrix table = Eigen::Map<const Matrix>(HH + terms.table(one, other), columns, rows);
    placed.times_factor(one, table.data(), columns);
    Matrix block = table.transpose();
    placed.times_factor(other, block.data(), rows);
    Q.block(m + terms.at(one), m + terms.at(other), rows, columns) = block;
  });
  Matrix row = b.tail(values).transpose();
  placed.times_factor(row);
  b.tail(values) = row.transpose();
}

}  // namespace

void gather_sums(const Frame& frame, Sums& sums, Index c, Matrix& Q, Vector& b, Workers* workers) {
  b = sums.b(c);
  if (frame.terms()) {
    Q.resize(frame.size(), frame.size());
    Q.topLeftCorner(frame.m(), frame.m()) = sums.Q(c);
    gather_terms(frame, sums, c, Q, b, Tasks(workers));
  } else {
    Q = sums.Q(c);
  }
  blas::mirror_lower(Q);
}

void collapse(const Frame& frame, Sums& sums, Collapsed& out, Index c, Workers* workers) {
  const Tasks tasks(workers);
  const bool terms = frame.terms() != nullptr;
  out.ok = false;
  gather_sums(frame, sums, c, out.L_B, out.b, workers);
  out.Q = out.L_B.topLeftCorner(frame.m(), frame.m());
  out.L_B.diagonal().array() += 1;
  if (!(terms ? factor_by_tiles(out.L_B, tasks) : blas::cholesky(out.L_B))) return;

  Posterior& q = out.q;
  q.a = out.b;
  blas::solve_lower(out.L_B, q.a.data(), 1);
  blas::solve_lower_transposed(out.L_B, q.a.data(), 1);
  const double half_log_det = out.L_B.diagonal().array().log().sum();
  if (terms) {
    complement_of_inverse_by_tiles(out.L_B, q.D, tasks);
  } else {
    q.D = out.L_B;
    blas::cholesky_to_inverse(q.D);
    q.D *= -1;
    q.D.diagonal().array() += 1;
  }
  unwhiten(frame, q, tasks);

  out.sparsity_price = (sums.w(c) * frame.placed->diagonal() - out.Q.trace()) / 2;
  out.F = sums.c(c) + out.b.dot(q.a) / 2 - half_log_det - out.sparsity_price;
  out.ok = std::isfinite(out.F);
}

void collapse(const Frame& frame, Sums& sums, std::vector<Collapsed>& out, Workers& workers) {
  const auto functions = static_cast<std::size_t>(frame.functions());
  out.resize(functions);
  if (frame.terms()) {
    for (std::size_t c = 0; c < functions; ++c)
      collapse(frame, sums, out[c], static_cast<Index>(c), &workers);
    return;
  }
  workers.run(frame.functions(),
              [&](Index c, int /*worker*/) { collapse(frame, sums, out[static_cast<std::size_t>(c)], c); });
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
