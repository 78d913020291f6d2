#include "train/grow_inputs.hpp"

#include <cmath>

#include "state/random.hpp"
#include "kernel/block.hpp"
#include "linalg/blas.hpp"

namespace induce {
namespace {

// A row is explained when its residual costs less than this many nats, or is so small a part of sigma_f^2
// that an input there would only cost jitter.
constexpr double explained = 1e-4, too_close = 1e-7;

Index draw(const Vector& mass, double total, Random& random) {
  double left = random.uniform() * total;
  Index last = 0;
  for (Index i = 0; i < mass.size(); ++i) {
    if (mass[i] <= 0) continue;
    last = i;
    left -= mass[i];
    if (left < 0) break;
  }
  return last;
}

}  // namespace

Matrix grow_inputs(const Frame& frame, const RowMatrix& X, const Vector& w, Index count, std::uint64_t seed) {
  const Index c = X.rows(), m = frame.m(), d = frame.d();
  const double variance = frame.hyper.variance();
  RowMatrix X_s(c, d);
  scale_rows(X.data(), c, frame.inverse_l, X_s.data());
  const Matrix columns = X_s;  // c x d, feature after feature, as covariance_block wants its second argument

  Matrix V(m, c);
  covariance_block(*frame.shape, variance, X_s.data(), c, frame.Z_s, V.data());
  blas::solve_lower(frame.L, V.data(), c);
  Vector residual = variance - V.colwise().squaredNorm().transpose().array();  // c: k~_ii

  Random random(seed);
  Matrix factor(c, count);  // of the residual kernel, column by column
  std::vector<Index> picks;
  Vector column(c);
  while (static_cast<Index>(picks.size()) < count) {
    const Vector cost = w.cwiseProduct(residual) / 2;
    const Vector mass =
        (cost.array() > explained && residual.array() > too_close * variance).select(cost, 0.0);
    const double total = mass.sum();
    if (!(total > 0)) break;
    const Index i = draw(mass, total, random), k = static_cast<Index>(picks.size());
    covariance_block(*frame.shape, variance, X_s.row(i).data(), 1, columns, column.data());
    column.noalias() -= V.transpose() * V.col(i);
    column.noalias() -= factor.leftCols(k) * factor.row(i).head(k).transpose();
    factor.col(k) = column / std::sqrt(residual[i]);
    residual.array() -= factor.col(k).array().square();
    residual[i] = 0;
    picks.push_back(i);
  }

  Matrix Z(m + static_cast<Index>(picks.size()), d);
  Z.topRows(m) = frame.Z;
  for (Index k = 0; k < static_cast<Index>(picks.size()); ++k) Z.row(m + k) = X.row(picks[k]);
  return Z;
}

}  // namespace induce
