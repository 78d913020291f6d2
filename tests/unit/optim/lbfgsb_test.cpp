// L-BFGS-B on problems whose answers are known.
#include "optim/lbfgsb.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>

#include "support/close.hpp"

namespace induce::testing {
namespace {

const double infinity = std::numeric_limits<double>::infinity();
const Eigen::Vector2d free_below(-infinity, -infinity), free_above(infinity, infinity);

// Rosenbrock's function, negated: maximum 0 at (1, 1).
double rosenbrock(const Vector& x, Vector& gradient) {
  const double a = 1 - x[0], b = x[1] - x[0] * x[0];
  gradient.resize(2);
  gradient << 2 * a + 400 * x[0] * b, -200 * b;
  return -(a * a + 100 * b * b);
}

LbfgsbSettings strict() {
  LbfgsbSettings settings;
  settings.relative_reduction = 1e-14;
  settings.projected_gradient = 1e-8;
  return settings;
}

TEST(Lbfgsb, MaximisesRosenbrock) {
  const Optimum got = maximize_lbfgsb(rosenbrock, Eigen::Vector2d(-1.2, 1), free_below, free_above, strict());
  EXPECT_TRUE(got.converged) << got.message;
  expect_close(got.x, Eigen::Vector2d(1, 1), 1e-6, "x");
  EXPECT_NEAR(got.value, 0, 1e-12);
  EXPECT_GT(got.iterations, 5);
  EXPECT_GE(got.evaluations, got.iterations);
}

// With x_0 <= 1/2 the maximum lies on the bound, at x_1 = x_0^2.
TEST(Lbfgsb, RespectsBounds) {
  const Eigen::Vector2d lower(-2, -1), upper(0.5, 2);
  const Objective watched = [&](const Vector& x, Vector& gradient) {
    EXPECT_TRUE((x.array() >= lower.array()).all() && (x.array() <= upper.array()).all()) << x.transpose();
    return rosenbrock(x, gradient);
  };
  const Optimum got = maximize_lbfgsb(watched, Eigen::Vector2d(-1.2, 1), lower, upper, strict());
  EXPECT_TRUE(got.converged) << got.message;
  EXPECT_EQ(got.x[0], 0.5);
  EXPECT_NEAR(got.x[1], 0.25, 1e-6);
}

// Each kind of bound: none, below, above, both.
TEST(Lbfgsb, MixedBounds) {
  const Eigen::Vector4d target(3, -3, 3, 0.2), lower(-infinity, -1, -infinity, 0),
      upper(infinity, infinity, 1, 1);
  const Objective parabola = [&](const Vector& x, Vector& gradient) {
    gradient = -2 * (x - target);
    return -(x - target).squaredNorm();
  };
  const Optimum got = maximize_lbfgsb(parabola, Vector::Constant(4, 0.5), lower, upper, strict());
  expect_close(got.x, Eigen::Vector4d(3, -1, 1, 0.2), 1e-7, "x");
}

TEST(Lbfgsb, MovesTheStartIntoTheBox) {
  const Eigen::Vector2d lower(0, 0), upper(1, 0.5);
  Vector first;
  const Objective watched = [&](const Vector& x, Vector& gradient) {
    if (first.size() == 0) first = x;
    return rosenbrock(x, gradient);
  };
  const Optimum got = maximize_lbfgsb(watched, Eigen::Vector2d(-7, 9), lower, upper, strict());
  EXPECT_EQ(first, Vector(Eigen::Vector2d(0, 0.5)));
  EXPECT_TRUE((got.x.array() >= lower.array()).all() && (got.x.array() <= upper.array()).all());

  LbfgsbSettings nothing;
  nothing.max_evaluations = 0;
  EXPECT_EQ(maximize_lbfgsb(watched, Eigen::Vector2d(-7, 9), lower, upper, nothing).x, first);
}

TEST(Lbfgsb, SpendsNoMoreThanItsBudgetAndReturnsTheBestPointSeen) {
  for (int budget = 1; budget <= 12; ++budget) {
    SCOPED_TRACE(budget);
    int calls = 0;
    double best = -infinity;
    const Objective counted = [&](const Vector& x, Vector& gradient) {
      ++calls;
      const double value = rosenbrock(x, gradient);
      best = std::max(best, value);
      return value;
    };
    LbfgsbSettings settings = strict();
    settings.max_evaluations = budget;
    const Optimum got = maximize_lbfgsb(counted, Eigen::Vector2d(-1.2, 1), free_below, free_above, settings);
    EXPECT_EQ(calls, budget);
    EXPECT_EQ(got.evaluations, budget);
    EXPECT_FALSE(got.converged);
    EXPECT_EQ(got.value, best);
    Vector gradient;
    EXPECT_EQ(rosenbrock(got.x, gradient), best);
  }
}

TEST(Lbfgsb, StopsAfterMaxIterationsAndOnRequest) {
  LbfgsbSettings settings = strict();
  settings.max_iterations = 3;
  EXPECT_EQ(
      maximize_lbfgsb(rosenbrock, Eigen::Vector2d(-1.2, 1), free_below, free_above, settings).iterations, 3);

  settings = strict();
  int seen = 0;
  settings.on_iteration = [&](const Vector& x, double value) {
    Vector gradient;
    EXPECT_EQ(rosenbrock(x, gradient), value);
    return ++seen < 4;
  };
  EXPECT_EQ(
      maximize_lbfgsb(rosenbrock, Eigen::Vector2d(-1.2, 1), free_below, free_above, settings).iterations, 4);

  settings = strict();
  settings.must_stop = [] { return true; };
  EXPECT_EQ(
      maximize_lbfgsb(rosenbrock, Eigen::Vector2d(-1.2, 1), free_below, free_above, settings).evaluations, 1);
}

// log x - x, with maximum -1 at 1, is undefined for x <= 0; from far away the first steps overshoot into it.
TEST(Lbfgsb, BacksOutOfANonFiniteRegion) {
  for (const double nowhere : {-infinity, std::nan("")}) {
    int walls = 0;
    const Objective guarded = [&](const Vector& x, Vector& gradient) {
      gradient = (1 / x.array() - 1).matrix();
      if (x.minCoeff() > 0) return (x.array().log() - x.array()).sum();
      ++walls;
      return nowhere;
    };
    const Vector start = Eigen::Vector2d(0.01, 30), none = Vector::Constant(2, infinity);
    const Optimum got = maximize_lbfgsb(guarded, start, -none, none, strict());
    EXPECT_GT(walls, 0) << "the undefined region was never reached: the test has no effect";
    expect_close(got.x, Vector::Ones(2), 1e-6, "x");
    EXPECT_NEAR(got.value, -2, 1e-10);
  }
}

TEST(Lbfgsb, ReportsANonFiniteStart) {
  const Objective nowhere = [](const Vector& x, Vector& gradient) {
    gradient = x;
    return std::nan("");
  };
  const Optimum got = maximize_lbfgsb(nowhere, Eigen::Vector2d(1, 2), free_below, free_above);
  EXPECT_FALSE(got.converged);
  EXPECT_EQ(got.evaluations, 1);
  EXPECT_EQ(got.x, Vector(Eigen::Vector2d(1, 2)));
  EXPECT_NE(got.message.find("not finite"), std::string::npos) << got.message;
}

// Oracle: the uninterrupted run, bit for bit.
TEST(Lbfgsb, ResumesFromAnyIteration) {
  std::vector<NamedArrays> states;
  Keeper keeper(
      std::nullopt, [&](const NamedArrays& state) { states.push_back(state); }, 0);
  LbfgsbSettings settings = strict();
  settings.keeper = &keeper;
  settings.on_iteration = [&](const Vector&, double) {
    keeper.safe_point(false);
    return true;
  };
  const Eigen::Vector2d start(-1.2, 1), above(0.5, infinity);
  const Optimum whole = maximize_lbfgsb(rosenbrock, start, free_below, above, settings);
  ASSERT_GT(states.size(), 5U);
  for (const NamedArrays& state : states) {
    Keeper resumed(state, {}, 0);
    settings.keeper = &resumed;
    settings.on_iteration = {};
    const Optimum rest = maximize_lbfgsb(rosenbrock, start, free_below, above, settings);
    EXPECT_EQ(rest.x, whole.x);
    EXPECT_EQ(rest.value, whole.value);
    EXPECT_EQ(rest.evaluations, whole.evaluations);
    EXPECT_EQ(rest.iterations, whole.iterations);
    EXPECT_EQ(rest.message, whole.message);
    EXPECT_FALSE(resumed.resuming());
  }
}

// An invalid state, or one of another problem, would make the routine access memory out of bounds.
TEST(Lbfgsb, RejectsAForeignState) {
  NamedArrays state;
  Keeper keeper(
      std::nullopt, [&](const NamedArrays& all) { state = all; }, 0);
  LbfgsbSettings settings = strict();
  settings.keeper = &keeper;
  settings.on_iteration = [&](const Vector&, double) {
    keeper.safe_point(false);
    return false;
  };
  maximize_lbfgsb(rosenbrock, Eigen::Vector2d(-1.2, 1), free_below, free_above, settings);
  int refused = 0;
  for (const char* name : {"task", "isave", "iwa", "wa", "x"}) {
    NamedArrays broken = state;
    for (double& number : broken.at("optimizer.routine." + std::string(name))) number = 77;
    broken.at("optimizer.routine." + std::string(name)).push_back(77);
    Keeper resumed(broken, {}, 0);
    settings.keeper = &resumed;
    try {
      maximize_lbfgsb(rosenbrock, Eigen::Vector2d(-1.2, 1), free_below, free_above, settings);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("optimizer.routine"), std::string::npos);
      ++refused;
    }
  }
  EXPECT_EQ(refused, 5);
}

}  // namespace
}  // namespace induce::testing
