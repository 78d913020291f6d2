// Results are bitwise the same for any number of threads and any earlier use of a pass.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/bridge.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"
#include "train/svi_bound.hpp"

namespace induce::testing {
namespace {

const naive::Problem& problem() {
  static const naive::Problem made = [] {
    naive::Problem p = random_problem(5, 5000, 30, 4);
    p.kernel = "matern52";
    return p;
  }();
  return made;
}

struct Bits {
  double F, elbo;
  Vector gradient, m, S2;
};

constexpr std::size_t one_block = 2 * sizeof(double) * 30 * 512, plenty = std::size_t{1} << 30;

// Two thetas: the cache of the first must not be used for the second.
Bits run(int threads, std::size_t memory) {
  Engine engine(problem(), 0, threads, memory);
  engine.stage_one("newton", 2);
  naive::Problem moved = problem();
  moved.lengthscales *= 1.1;
  engine.place(moved);
  engine.bound();
  Bits bits{engine.collapsed.F, engine.elbo(), {}, {}, {}};
  bits.gradient = coordinates(moved, engine.fixed_site_gradient());
  bits.m = engine.m;
  bits.S2 = engine.S2;
  return bits;
}

TEST(Determinism, BoundGradientAndMarginalsDoNotDependOnThreadsOrMemory) {
  const Bits want = run(1, 0);
  for (const int threads : {1, 2, 3, 8}) {
    for (const std::size_t memory : {std::size_t{0}, one_block, plenty}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(memory) + " bytes");
      const Bits got = run(threads, memory);
      EXPECT_EQ(got.F, want.F);
      EXPECT_EQ(got.elbo, want.elbo);
      EXPECT_TRUE(got.gradient == want.gradient);
      EXPECT_TRUE(got.m == want.m);
      EXPECT_TRUE(got.S2 == want.S2);
    }
  }
}

TEST(Pass, CachesNoMoreThanItsLimit) {
  EXPECT_EQ(Engine(problem()).pass.kept_bytes(), 0u);
  EXPECT_EQ(Engine(problem(), 0, 1, one_block - 1).pass.kept_bytes(), 0u);
  EXPECT_EQ(Engine(problem(), 0, 1, one_block).pass.kept_bytes(), one_block);
  EXPECT_EQ(Engine(problem(), 0, 1, plenty).pass.kept_bytes(), 10 * one_block);
}

// The same for the code path with moments, which svi uses.
TEST(Determinism, SviDoesNotDependOnThreads) {
  const Prior prior = prior_of(problem());
  const Layout layout{.kernel = kernel_of(problem()), .mean = true, .inputs = true};
  const SviBound bound(likelihood("logistic"), layout, prior);
  const Index m = problem().Z.rows();
  const Vector x = bound.pack({prior, random_matrix(1, m, 1), Matrix::Identity(m, m) / 2});

  const auto evaluate = [&](int threads, Vector& gradient) {
    Workers workers(threads);
    Pass pass(problem().X, m, workers);
    gradient.setZero(bound.size());
    return bound.value(pass, Targets(problem().y), 1, x, &gradient, nullptr);
  };
  Vector one, many;
  const double value = evaluate(1, one);
  ASSERT_TRUE(std::isfinite(value));
  for (const int threads : {2, 3, 8}) {
    EXPECT_EQ(evaluate(threads, many), value) << threads;
    EXPECT_TRUE(many == one) << threads;
  }
}

// A pass reuses its buffers; no earlier use, with or without moments, may affect a later one.
TEST(Determinism, EarlierUseOfAPassHasNoEffect) {
  Engine used(problem()), fresh(problem());
  used.stage_one("jj", 2);
  fresh.stage_one("jj", 2);
  const auto adjoint = [](Engine& engine, bool moments) {
    return engine.pass.second_half(
        engine.frame, engine.collapsed.q,
        [&](Index first, Index count, const double* m, const double*, double* g, double* s) {
          for (Index i = 0; i < count; ++i) {
            g[i] = engine.sites.t[first + i] - engine.sites.w[first + i] * m[i];
            s[i] = -engine.sites.w[first + i] / 2;
          }
        },
        moments, engine.m, engine.S2);
  };
  adjoint(used, true);
  adjoint(used, false);
  RowAdjoint again = adjoint(used, true), first = adjoint(fresh, true);
  EXPECT_TRUE(std::ranges::equal(again.numbers(), first.numbers()));
}

}  // namespace
}  // namespace induce::testing
