#include "train/grow_inputs.hpp"

#include <cmath>

#include "linalg/random.hpp"
#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

// Of sigma_f^2: where the residual of a row is below it, an input would only cost jitter.
constexpr double too_close = 1e-7;

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
  const double variance = frame.placed->signal_variance();
  const DenseRows rows(X);
  const auto covariance = [&](const PlacedKernel& kernel, const RowBlock& block, double* K) {
    Vector workspace(kernel.workspace(block.rows));
    kernel.load(block, workspace.data());
    kernel.covariance(block, workspace.data(), K);
  };
  const auto at_rows = frame.kernel->place(frame.prior.theta.data(), X);

  Matrix V(m, c);
  covariance(*frame.placed, rows.block(0, c, nullptr), V.data());
  blas::solve_lower(frame.L, V.data(), c);
  Vector residual = variance - V.colwise().squaredNorm().transpose().array();  // c: k~_ii

  Random random(seed);
  Matrix factor(c, count);  // of the residual kernel, column by column
  std::vector<Index> picks;
  Vector column(c);
  while (static_cast<Index>(picks.size()) < count) {
    const Vector cost = w.cwiseProduct(residual) / 2;
    const Vector mass = (residual.array() > too_close * variance).select(cost, 0.0);
    const double total = mass.sum();
    if (!(total > 0)) break;
    const Index i = draw(mass, total, random), k = static_cast<Index>(picks.size());
    covariance(*at_rows, rows.block(i, 1, nullptr), column.data());
    column.noalias() -= V.transpose() * V.col(i);
    column.noalias() -= factor.leftCols(k) * factor.row(i).head(k).transpose();
    factor.col(k) = column / std::sqrt(residual[i]);
    residual.array() -= factor.col(k).array().square();
    residual[i] = 0;
    picks.push_back(i);
  }

  Matrix Z(m + static_cast<Index>(picks.size()), d);
  Z.topRows(m) = frame.prior.Z;
  for (Index k = 0; k < static_cast<Index>(picks.size()); ++k) Z.row(m + k) = X.row(picks[k]);
  return Z;
}

}  // namespace induce::detail
