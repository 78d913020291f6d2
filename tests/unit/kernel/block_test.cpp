// A kernel on a block of rows and the way back. Oracles: the twin's kernel, one pair at a time, and
// five-point differences of sum G o K.
#include <gtest/gtest.h>

#include "kernel/block.hpp"
#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

Matrix covariance(const Shape& shape, const naive::Problem& problem) {
  const Hyper hyper{problem.signal_std, problem.lengthscales, 0, 0};
  const Vector inverse_l = hyper.inverse_lengthscales(problem.X.cols());
  RowMatrix X_s(problem.X.rows(), problem.X.cols());
  scale_rows(problem.X.data(), problem.X.rows(), inverse_l, X_s.data());
  const Matrix Z_s = problem.Z * inverse_l.asDiagonal();
  Matrix K(problem.Z.rows(), problem.X.rows());
  covariance_block(shape, hyper.variance(), X_s.data(), X_s.rows(), Z_s, K.data());
  return K;
}

// 1 to 5 features: the sweep over four and its rest; from 24 on: distances by products.
constexpr Index features[] = {1, 2, 3, 4, 5, 8, 23, 24, 25, 40};

naive::Problem block_problem(const std::string& kernel, Index d) {
  naive::Problem problem = random_problem(static_cast<unsigned>(d), 70, 9, d);
  problem.kernel = kernel;
  problem.lengthscales *= std::sqrt(static_cast<double>(d));
  problem.X.row(3) = problem.Z.row(5);  // a distance of zero
  problem.X.row(4) = problem.Z.row(0).array() + 1e-9;
  return problem;
}

TEST(Block, CovarianceIsTheTwins) {
  for (const std::string& name : example_shapes()) {
    const std::unique_ptr<Shape> shape = make_shape(name);
    for (const Index d : features) {
      for (const bool one : {false, true}) {
        naive::Problem problem = block_problem(name, d);
        if (one) problem.lengthscales.conservativeResize(1);
        const Matrix K = covariance(*shape, problem), want = problem.K_nm().transpose();
        const double variance = problem.signal_std * problem.signal_std;
        EXPECT_LE((K - want).cwiseAbs().maxCoeff(), 1e-12 * variance) << name << ", d = " << d;
        EXPECT_NEAR(K(5, 3), variance, 1e-13 * variance) << name << ", d = " << d;
      }
    }
  }
}

TEST(Block, PullbackIsTheGradientOfSumGK) {
  for (const std::string& name : example_shapes()) {
    const std::unique_ptr<Shape> shape = make_shape(name);
    for (const Index d : {1, 3, 5, 26}) {
      SCOPED_TRACE(name + ", d = " + std::to_string(d));
      naive::Problem problem = block_problem(name, d);
      problem.lengthscales *= 3;
      for (Index j = 0; j < 9; ++j) problem.Z(j, 0) = static_cast<double>(2 * j);
      for (Index i = 0; i < 70; ++i) {  // never near a Z: the difference needs a smooth kernel
        const auto step = static_cast<double>(i);
        problem.X(i, 0) = 2 * std::fmod(step, 9) + 1 + 0.4 * std::sin(step);
      }
      problem.mean = problem.noise_std = 0;
      const Matrix G = random_matrix(1, problem.Z.rows(), problem.X.rows());
      const Vector inverse_l = problem.lengthscales.cwiseInverse();
      const RowMatrix X_s = problem.X * inverse_l.asDiagonal();
      const Matrix Z_s = problem.Z * inverse_l.asDiagonal(), K = covariance(*shape, problem);

      KernelPullback pullback(problem.Z.rows(), d), rest(problem.Z.rows(), d);
      Matrix G_spoiled = G, scratch(G.rows(), G.cols());
      const double variance = problem.signal_std * problem.signal_std;
      const Index m = G.rows(), cut = 66;  // more than one strip of columns, then the rest
      pullback.add(*shape, variance, X_s.data(), cut, Z_s, K.data(), G_spoiled.data(), scratch.data());
      rest.add(*shape, variance, X_s.data() + cut * d, 70 - cut, Z_s, K.data() + cut * m,
               G_spoiled.data() + cut * m, scratch.data());
      pullback += rest;
      Gradient got;
      got.log_signal_std = pullback.log_signal_std();
      got.log_lengthscales = pullback.log_lengthscales(Z_s);
      got.Z = pullback.inputs(Z_s, inverse_l);

      const auto sum_GK = [&](const Vector& x) {
        return G.cwiseProduct(covariance(*shape, moved_to(problem, x))).sum();
      };
      expect_close(coordinates(problem, got), naive::central_difference(sum_GK, coordinates(problem), 3e-4),
                   1e-6, "gradient");
    }
  }
}

}  // namespace
}  // namespace induce::testing
