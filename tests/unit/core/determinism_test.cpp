// Every bit is the same for any number of threads, and whatever a pass was used for before.
#include <gtest/gtest.h>

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

Bits run(int threads) {
  Engine engine(problem(), 0, threads);
  engine.stage_one("newton", 2);
  Bits bits{engine.collapsed.F, engine.elbo(), {}, {}, {}};
  bits.gradient = coordinates(problem(), engine.fixed_site_gradient());
  bits.m = engine.m;
  bits.S2 = engine.S2;
  return bits;
}

TEST(Determinism, BoundGradientAndMarginalsDoNotDependOnThreads) {
  const Bits one = run(1);
  for (const int threads : {2, 3, 8}) {
    SCOPED_TRACE(threads);
    const Bits many = run(threads);
    EXPECT_EQ(many.F, one.F);
    EXPECT_EQ(many.elbo, one.elbo);
    EXPECT_TRUE(many.gradient == one.gradient);
    EXPECT_TRUE(many.m == one.m);
    EXPECT_TRUE(many.S2 == one.S2);
  }
}

// The same for the path with moments, which svi takes.
TEST(Determinism, SviDoesNotDependOnThreads) {
  const std::unique_ptr<Shape> shape = make_shape(problem().kernel);
  const Prior prior{Engine::hyper_of(problem()), problem().Z};
  const Layout layout{.noise = true, .mean = true, .inputs = true};
  const SviBound bound(*shape, layout, prior);
  const Index m = problem().Z.rows();
  const Vector x = bound.pack({prior, random_matrix(1, m, 1), Matrix::Identity(m, m) / 2});

  const auto evaluate = [&](int threads, Vector& gradient) {
    Workers workers(threads);
    Pass pass(problem().X, m, workers);
    gradient.setZero(bound.size());
    return bound.value(pass, problem().y, 1, x, &gradient, nullptr);
  };
  Vector one, many;
  const double value = evaluate(1, one);
  ASSERT_TRUE(std::isfinite(value));
  for (const int threads : {2, 3, 8}) {
    EXPECT_EQ(evaluate(threads, many), value) << threads;
    EXPECT_TRUE(many == one) << threads;
  }
}

// A pass keeps its buffers; nothing of an earlier use, with or without moments, may leak into a later one.
TEST(Determinism, APassIsAsGoodAsNew) {
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
  const RowAdjoint again = adjoint(used, true), first = adjoint(fresh, true);
  EXPECT_TRUE(again.Vg == first.Vg);
  EXPECT_TRUE(again.VsV == first.VsV);
  EXPECT_EQ(again.g, first.g);
  EXPECT_EQ(again.s, first.s);
  EXPECT_TRUE(again.kernel.inputs(used.frame.Z_s, used.frame.inverse_l) ==
              first.kernel.inputs(fresh.frame.Z_s, fresh.frame.inverse_l));
}

}  // namespace
}  // namespace induce::testing
