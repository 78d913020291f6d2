// Rounding noise of the bound, which would disturb a line search (docs/decisions.md: whiten rows, not sums). A
// synthetic case like the one measured there on cod-rna: n = 20,000, d = 8, m = 100, sigma_f = 38, cond K_mm = 2e7.
// Oracle: over a perturbation of 1e-7 the bound is linear to within 1e-10, so the remainder after subtracting
// gradient' delta is noise.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/bridge.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

naive::Problem ill_conditioned() {
  naive::Problem problem;
  problem.X = random_matrix(1, 20000, 8);
  problem.Z = problem.X.topRows(100);
  const Matrix toss = random_matrix(2, 20000, 1);
  problem.y =
      (2 * problem.X.col(0).array() - problem.X.col(1).array().square() + 1 + toss.col(0).array() / 10)
          .unaryExpr([](double f) { return f > 0 ? 1.0 : -1.0; });
  problem.signal_std = 38;
  problem.lengthscales = Vector::LinSpaced(8, 5, 11);
  problem.noise_std = 1e-3;
  return problem;
}

TEST(Noise, IsSmallUnderTinyPerturbationsOfTheta) {
  const naive::Problem problem = ill_conditioned();
  const Vector spectrum = Eigen::SelfAdjointEigenSolver<Matrix>(problem.K_mm()).eigenvalues();
  const double condition = spectrum.maxCoeff() / spectrum.minCoeff();
  RecordProperty("condition", std::to_string(condition));
  EXPECT_GT(condition, 1e7);
  EXPECT_LT(condition, 4e7);

  Engine engine(problem, first_jitter, 2);
  ASSERT_EQ(engine.frame.jitter, first_jitter);
  engine.stage_one("jj", 5);
  const double F = engine.collapsed.F;
  const Vector x = coordinates(problem), slope = coordinates(problem, engine.fixed_site_gradient());
  const Index p = x.size() - problem.Z.size() - 1;  // theta alone

  const Index trials = 50;
  const Matrix directions = random_matrix(3, p, trials);
  Vector residual(trials);
  for (Index k = 0; k < trials; ++k) {
    Vector moved = x;
    moved.head(p) += 1e-7 * directions.col(k);
    engine.place(moved_to(problem, moved), first_jitter);
    residual(k) = engine.bound() - F - slope.dot(moved - x);
  }
  const double noise = (residual.array() - residual.mean()).matrix().norm() / std::sqrt(trials - 1.0);
  RecordProperty("bound", std::to_string(F));
  RecordProperty("noise_1e_12", std::to_string(1e12 * noise));
  RecordProperty("largest_residual_1e_12", std::to_string(1e12 * residual.cwiseAbs().maxCoeff()));
  EXPECT_LT(noise, 1e-8) << "absolute, at F = " << F << "; largest residual "
                         << residual.cwiseAbs().maxCoeff();
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-11 * std::abs(F));
}

}  // namespace
}  // namespace induce::testing
