// Mixed precision, and the second half of a pass taken apart. Oracles: the fused second half in full precision, and
// results of one thread without a cache.
#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Dense>

#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

// An amplitude of 20 and long length-scales: cond(K_mm) is 1e6 and more, and S2 is up to 1e5 times below k_ii.
naive::Problem ill_conditioned() {
  naive::Problem problem = random_problem(5, 5000, 60, 4);
  problem.signal_std = 20;
  problem.lengthscales.setConstant(2.5);
  problem.noise_std = 1e-6;
  return problem;
}

// One evaluation at fixed sites.
struct Evaluation {
  Evaluation(const Engine& engine, int threads, std::size_t memory, Precision precision) : workers(threads) {
    const Frame& frame = engine.frame;
    Pass pass(engine.X, frame.m(), workers, memory, precision);
    collapse(frame, pass.first_half(frame, engine.sites), collapsed);
    pass.variances(frame, collapsed.L_B, S2);
    g.resize(pass.n());
    m.resize(pass.n());
    Projection& sums =
        pass.sweep(frame, collapsed.q.alpha, [&](Index first, Index count, const double* f, double* slope) {
          for (Index i = 0; i < count; ++i) {
            m[first + i] = frame.mean() + f[i];
            g[first + i] = slope[i] = engine.sites.t[first + i] - engine.sites.w[first + i] * m[first + i];
          }
          return static_cast<double>(count);
        });
    Kg = sums.Kg();
    total = sums.total();
    const Gradient all = gradient(frame, pass.adjoint(frame, collapsed.q, g, -engine.sites.w / 2),
                                  unwhiten_adjoint(frame, collapsed_bracket(collapsed)));
    theta = all.log_theta;
    Z = all.Z;
  }

  Workers workers;
  Collapsed collapsed;
  Vector S2, m, g, Kg, theta;
  Matrix Z;
  double total = 0;
};

struct Fixed {
  explicit Fixed(const naive::Problem& problem) : engine(problem) {
    engine.stage_one("newton", 8);
    gradient = engine.fixed_site_gradient();
  }
  Engine engine;
  Gradient gradient;
};

TEST(SplitPass, FullPrecisionMatchesTheFusedSecondHalf) {
  Fixed fixed(random_problem(3, 3000, 30, 4));
  const Engine& engine = fixed.engine;
  const Evaluation split(engine, 1, 0, Precision::full);
  EXPECT_EQ(split.collapsed.F, engine.collapsed.F);
  expect_close(split.S2, engine.S2, 1e-9, "S2");
  expect_close(split.m, engine.m, 1e-9, "m");
  EXPECT_EQ(split.total, 3000);
  Vector h = split.Kg;  // at the optimum for fixed sites V g = a
  engine.frame.L.triangularView<Eigen::Lower>().solveInPlace(h);
  expect_close(h, engine.collapsed.q.a, 1e-8, "V g");
  expect_close(split.theta, fixed.gradient.log_theta, 1e-8, "theta");
  expect_close_matrix(split.Z, fixed.gradient.Z, 1e-8, "Z");
}

TEST(MixedPrecision, IsCloseToFullPrecisionWhereK_mmIsIllConditioned) {
  Fixed fixed(ill_conditioned());
  const Engine& engine = fixed.engine;
  const Vector eigenvalues =
      Eigen::SelfAdjointEigenSolver<Matrix>(engine.frame.L * engine.frame.L.transpose()).eigenvalues();
  EXPECT_GT(eigenvalues.maxCoeff() / eigenvalues.minCoeff(), 1e6);
  const Evaluation mixed(engine, 2, 0, Precision::mixed);
  // Measured: 6e-7, 2e-6, 1e-5 and 8e-5 at cond(K_mm) = 1.6e7.
  EXPECT_LT(((mixed.S2 - engine.S2).array() / engine.S2.array()).abs().maxCoeff(), 1e-5);
  EXPECT_LT((mixed.m - engine.m).cwiseAbs().maxCoeff(), 1e-4);
  const Gradient& full = fixed.gradient;
  EXPECT_LT((mixed.theta - full.log_theta).norm(), 2e-4 * full.log_theta.norm());
  EXPECT_LT((mixed.Z - full.Z).norm(), 1e-3 * full.Z.norm());
}

TEST(MixedPrecision, DoesNotDependOnThreadsOrMemory) {
  Fixed fixed(random_problem(7, 5000, 30, 4));
  const Evaluation want(fixed.engine, 1, 0, Precision::mixed);
  constexpr std::size_t block_bytes = cached_bytes(Precision::mixed) * 30 * 1024,
                        ample = std::size_t{1} << 30;
  for (const int threads : {1, 2, 3, 8}) {
    for (const std::size_t memory : {std::size_t{0}, block_bytes, ample}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(memory) + " bytes");
      const Evaluation got(fixed.engine, threads, memory, Precision::mixed);
      EXPECT_EQ(got.collapsed.F, want.collapsed.F);
      EXPECT_TRUE(got.collapsed.q.alpha == want.collapsed.q.alpha);
      EXPECT_TRUE(got.S2 == want.S2);
      EXPECT_TRUE(got.m == want.m);
      EXPECT_TRUE(got.Kg == want.Kg);
      EXPECT_TRUE(got.theta == want.theta);
      EXPECT_TRUE(got.Z == want.Z);
    }
  }
}

TEST(MixedPrecision, CacheIsSmaller) {
  Workers workers(1);
  const RowMatrix X = random_matrix(1, 2048, 2);
  EXPECT_EQ(Pass(X, 30, workers, 1 << 30, Precision::mixed).kept_bytes(), 12u * 30 * 2048);
  EXPECT_EQ(Pass(X, 30, workers, 1 << 30).kept_bytes(), 16u * 30 * 2048);
}

TEST(MixedPrecision, RefusesWhatNeedsFullPrecision) {
  Fixed fixed(random_problem(7, 100, 5, 2));
  Engine& engine = fixed.engine;
  Pass pass(engine.X, 5, engine.workers, 0, Precision::mixed);
  EXPECT_THROW(pass.marginals(engine.frame, engine.collapsed.q, engine.m, engine.S2), std::logic_error);
}

}  // namespace
}  // namespace induce::testing
