// q(u) in whitened and in natural coordinates, and the adjoint of K_mm in its two forms.
#include <gtest/gtest.h>

#include "core/fitted.hpp"
#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

// Oracle: the twin's marginals and KL of a q that the engine did not produce.
TEST(Posterior, FromNaturalCoordinatesAndBack) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const naive::Problem problem = random_problem(seed, 20, 5, 2);
    Engine engine(problem);
    const Vector mu = random_matrix(seed, 5, 1);
    const Matrix R = random_matrix(seed + 100, 5, 5), Sigma = R * R.transpose();
    const Posterior q = posterior_from(engine.frame, mu, R);
    expect_close(natural_mean(engine.frame, q), mu, 1e-10, "mu");
    expect_close_matrix(natural_covariance(engine.frame, q), Sigma, 1e-10, "Sigma");
    expect_close(kl_divergence(q), naive::kl(mu, Sigma, problem.K_mm()), 1e-8, "KL");
    engine.pass.marginals(engine.frame, q, engine.m, engine.S2);
    const naive::Marginals want = naive::marginals(problem, mu, Sigma);
    expect_close(engine.m, want.m, 1e-8, "m");
    expect_close(engine.S2, want.S2, 1e-8, "S2");
  }
}

TEST(Posterior, RestoredPosteriorPredictsTheSameBits) {
  const naive::Problem problem = random_problem(2, 50, 6, 3);
  Engine engine(problem);
  engine.stage_one("jj", 3);
  const Posterior& q = engine.collapsed.q;
  const Frame frame = restore_frame(engine.kernel, engine.frame.prior, engine.frame.L, engine.frame.jitter);
  const Fitted restored{frame, {restore_posterior(frame, q.a, q.D)}};
  Vector m, S2;
  engine.pass.marginals(engine.frame, q, engine.m, engine.S2);
  engine.pass.marginals(restored.frame, restored.q, m, S2);
  EXPECT_TRUE(m == engine.m);
  EXPECT_TRUE(S2 == engine.S2);
}

// At the optimal q for fixed sites the general adjoint of K_mm becomes the collapsed one (core/gradient.hpp).
TEST(Bracket, GeneralFormBecomesTheCollapsedOneAtTheOptimum) {
  const naive::Problem problem = random_problem(9, 40, 5, 2);
  Engine engine(problem);
  engine.stage_one("taylor", 2);
  RowAdjoint rows = engine.pass.second_half(
      engine.frame, engine.collapsed.q,
      [&](Index first, Index count, const double* m, const double*, double* g, double* s) {
        for (Index i = 0; i < count; ++i) {
          g[i] = engine.sites.t[first + i] - engine.sites.w[first + i] * m[i];
          s[i] = -engine.sites.w[first + i] / 2;
        }
      },
      true, engine.m, engine.S2);
  expect_close_matrix(general_bracket(engine.collapsed.q, rows), collapsed_bracket(engine.collapsed), 1e-10,
                      "bracket");
}

// The sparsity penalty is the part of F that vanishes with Z = X and no noise.
TEST(Collapsed, SparsityPriceVanishesIfZIsX) {
  naive::Problem problem = random_problem(4, 12, 12, 3);
  Engine sparse(problem);
  sparse.stage_one("jj", 3);
  EXPECT_GT(sparse.collapsed.sparsity_price, 1e-3);
  problem.Z = problem.X;
  problem.noise_std = 0;
  Engine full(problem);
  full.stage_one("jj", 3);
  EXPECT_NEAR(full.collapsed.sparsity_price, 0, 1e-9);
}

// Numerical failure is a value, not an exception.
TEST(Frame, NotFiniteIsReported) {
  naive::Problem problem = random_problem(4, 12, 3, 2);
  problem.Z(1, 1) = std::nan("");
  EXPECT_FALSE(Engine(problem).frame.ok);
  problem = random_problem(4, 12, 3, 2);
  problem.signal_std = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(Engine(problem).frame.ok);
}

TEST(Collapsed, NotFiniteIsReported) {
  const naive::Problem problem = random_problem(4, 12, 3, 2);
  Engine engine(problem);
  engine.stage_one("jj", 1);
  EXPECT_TRUE(engine.collapsed.ok);
  engine.sites.w[3] = std::nan("");
  engine.bound();
  EXPECT_FALSE(engine.collapsed.ok);
}

}  // namespace
}  // namespace induce::testing
