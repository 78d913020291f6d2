// The kernel of distances. Oracles: the stationary kernel of the points themselves, and differences of a sum of covariances.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>

#include "kernel/kernel.hpp"
#include "support/close.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

constexpr Index row_count = 40, pool = 9, inputs = 6, dims = 3;

struct Points {
  RowMatrix X = random_matrix(1, row_count, dims);
  Matrix C = random_matrix(2, pool, dims);  // the pool

  Points() { X.row(3) = C.row(2); }
  RowMatrix distances() const {
    RowMatrix R2(row_count, pool);
    for (Index i = 0; i < row_count; ++i)
      for (Index p = 0; p < pool; ++p) R2(i, p) = (X.row(i) - C.row(p)).squaredNorm();
    return R2;
  }
  Matrix own() const {
    Matrix R2(inputs, pool);
    for (Index j = 0; j < inputs; ++j)
      for (Index p = 0; p < pool; ++p) R2(j, p) = (C.row(j) - C.row(p)).squaredNorm();
    return R2;
  }
};

Matrix rows_covariance(const PlacedKernel& kernel, const RowMatrix& X) {
  Matrix K(inputs, X.rows());
  Vector workspace(kernel.workspace(X.rows()));
  const RowBlock rows = DenseRows(X).block(0, X.rows(), nullptr);
  kernel.load(rows, workspace.data());
  kernel.covariance(rows, workspace.data(), K.data());
  return K;
}

const KernelSetting of_distances{.d = 1, .ard = false, .spread = 1.3, .distances = true};
const KernelSetting of_points{.d = dims, .ard = false};

TEST(Distance, CovariancesAreThoseOfThePoints) {
  const Points points;
  for (const std::string name : {"se", "matern12", "matern32", "matern52", "matern:1.2", "se+linear"}) {
    const auto kernel = make_kernel(name, of_distances), plain = make_kernel(name, of_points);
    EXPECT_EQ(kernel->name(), name);
    ASSERT_EQ(kernel->size(), plain->size());
    for (std::size_t k = 0; k < kernel->parameters().size(); ++k)
      EXPECT_EQ(kernel->parameters()[k].name, plain->parameters()[k].name);
    const Vector theta = (0.3 * random_matrix(5, kernel->size(), 1)).array().exp();
    const auto placed = kernel->place(theta.data(), points.own());
    const auto want = plain->place(theta.data(), points.C.topRows(inputs));
    expect_close_matrix(rows_covariance(*placed, points.distances()), rows_covariance(*want, points.X), 1e-12,
                        name);
    Matrix K, K_want;
    placed->inducing_covariance(K);
    want->inducing_covariance(K_want);
    expect_close_matrix(K, K_want, 1e-12, name + " of the inducing inputs");
    expect_close(placed->diagonal(), want->diagonal(), 1e-14, "k_ii");
  }
}

// F = sum G o K + sum G_mm o K_mm + g k(x, x).
TEST(Distance, GradientMatchesDifferences) {
  const Points points;
  const RowMatrix R2 = points.distances();
  const Matrix own = points.own(), G = random_matrix(7, inputs, row_count);
  Matrix G_mm = random_matrix(8, inputs, inputs);
  G_mm = (G_mm + G_mm.transpose()).eval();
  const double g = 0.7, jitter = 1e-3;
  for (const std::string name : {"se", "matern32", "matern52", "matern52+linear"}) {
    const auto kernel = make_kernel(name, of_distances);
    const Vector theta = (0.3 * random_matrix(5, kernel->size(), 1)).array().exp();
    const auto F = [&](const Vector& at) {
      const auto placed = kernel->place(at.data(), own);
      Matrix K_mm;
      placed->inducing_covariance(K_mm);
      K_mm.diagonal().array() += jitter * placed->signal_variance();
      return G.cwiseProduct(rows_covariance(*placed, R2)).sum() + G_mm.cwiseProduct(K_mm).sum() +
             g * placed->diagonal();
    };
    const auto placed = kernel->place(theta.data(), own);
    const Matrix K = rows_covariance(*placed, R2);
    Matrix K_mm, adjoint = G, scratch(inputs, row_count), d_Z = Matrix::Zero(inputs, pool);
    placed->inducing_covariance(K_mm);
    Vector sums = Vector::Zero(placed->pullback_size()), workspace(placed->workspace(row_count));
    const RowBlock rows = DenseRows(R2).block(0, row_count, nullptr);
    placed->load(rows, workspace.data());
    placed->pull_back(rows, workspace.data(), K.data(), adjoint.data(), scratch.data(), sums.data());
    Vector d_theta = Vector::Zero(kernel->size());
    placed->gradient(sums.data(), g, G_mm, jitter, d_theta.data(), d_Z);
    EXPECT_EQ(d_Z.cwiseAbs().maxCoeff(), 0) << "the inputs are fixed";
    for (Index k = 0; k < kernel->size(); ++k) {
      const double h = 1e-5;
      Vector up = theta, down = theta;
      up[k] *= std::exp(h);
      down[k] *= std::exp(-h);
      expect_close(d_theta[k], (F(up) - F(down)) / (2 * h), 1e-7, name + ", parameter " + std::to_string(k));
    }
  }
}

TEST(Distance, AnAdditivePartIsRefusedByName) {
  try {
    make_kernel("se+additive", of_distances);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("sparse tables have no additive part"), std::string::npos);
  }
}

}  // namespace
}  // namespace induce::testing
