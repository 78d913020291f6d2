// L-BFGS-B on problems whose answers are known.
#include "optim/lbfgsb.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

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

// Errors in value and gradient that are larger than what is left to gain: the optimizer ends by itself, and soon.
TEST(Lbfgsb, EndsWhereErrorsHideTheSlope) {
  const Index n = 6;
  LbfgsbSettings endless;
  endless.relative_reduction = endless.projected_gradient = 0;
  endless.max_evaluations = 200;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    std::uint32_t state = seed;
    const auto noise = [&] {
      state = state * 1664525u + 1013904223u;
      return (state >> 8) / static_cast<double>(1 << 24) - 0.5;
    };
    const Objective hill = [&](const Vector& x, Vector& gradient) {
      double value = 0;
      for (Index i = 0; i < n; ++i) {
        const double weight = std::pow(10.0, 4 * i);
        value -= weight * x[i] * x[i];
        gradient[i] = -2 * weight * x[i] * (1 + 1e-6 * noise());
      }
      return value + 1e-6 * noise();
    };
    const Optimum got = maximize_lbfgsb(hill, Vector::Constant(n, 0.7), Vector::Constant(n, -1),
                                        Vector::Constant(n, 1), endless);
    EXPECT_TRUE(got.stuck || got.converged) << got.message;
    EXPECT_LT(got.evaluations, 200);
  }
}

// The authors' Fortran code, version 3.0 (Debian's liblbfgsb 3.0+dfsg.4-1), with the same settings: evaluations that it took, and
// the value it reached. Where rounding decides between two ways, counts differ by a few percent in both directions.
struct Reference {
  const char* name;
  Objective objective;
  Vector start, lower, upper;
  int evaluations;
  double value;
};

std::vector<Reference> references() {
  std::vector<Reference> all;
  const Objective chain = [](const Vector& x, Vector& gradient) {  // Rosenbrock's function of many variables
    double value = 0;
    gradient.setZero();
    for (Index i = 0; i + 1 < x.size(); ++i) {
      const double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];
      value -= a * a + 100 * b * b;
      gradient[i] += 2 * a + 400 * x[i] * b;
      gradient[i + 1] -= 200 * b;
    }
    return value;
  };
  const auto alternating = [](Index n) {
    Vector x(n);
    for (Index i = 0; i < n; ++i) x[i] = i % 2 ? 1 : -1.2;
    return x;
  };
  const auto mixed = [](Index n, int each, int from, double bound, double other) {
    Vector limit = Vector::Constant(n, other);
    for (Index i = from; i < n; i += each) limit[i] = bound;
    return limit;
  };
  for (const auto& [n, free, below, both, either] :
       {std::array{2, 46, 19, 47, 3}, {10, 93, 39, 82, 25}, {100, 636, 31, 615, 27}}) {
    const Vector start = alternating(n), none = Vector::Constant(n, infinity);
    const double of_below = n == 2 ? -0.25 : n == 10 ? -7.594812949 : -96.68553162;
    const double of_either = n == 2 ? -0.01 : n == 10 ? -361.4328258 : -3092.552775;
    all.push_back({"free", chain, start, -none, none, free, 0});
    all.push_back({"below 1/2", chain, start, -none, Vector::Constant(n, 0.5), below, of_below});
    all.push_back({"box", chain, start, Vector::Constant(n, -2), Vector::Constant(n, 2), both, 0});
    all.push_back({"mixed", chain, start, mixed(n, 3, 0, 1.1, -infinity), mixed(n, 4, 1, 1.5, infinity),
                   either, of_either});
  }
  for (const auto& [condition, evaluations] : {std::pair{1e2, 60}, {1e4, 157}}) {
    const Index n = 10;
    const Vector curvature = Vector::LinSpaced(n, 0, std::log(condition)).array().exp().matrix();
    const Objective bowl = [curvature](const Vector& x, Vector& gradient) {
      gradient = -curvature.cwiseProduct(x - Vector::Ones(x.size()));
      return gradient.dot(x - Vector::Ones(x.size())) / 2;
    };
    const Vector none = Vector::Constant(n, infinity);
    all.push_back({"bowl", bowl, Vector::Zero(n), -none, none, evaluations, 0});
  }
  const Objective wall = [](const Vector& x, Vector& gradient) {
    gradient = (1 / x.array() - 1).matrix();
    return x.minCoeff() > 0 ? (x.array().log() - x.array()).sum() : -infinity;
  };
  const Vector start = (Vector::LinSpaced(20, -3, 2.7) * std::log(10)).array().exp().matrix();
  const Vector none = Vector::Constant(20, infinity);
  all.push_back({"wall", wall, start, -none, none, 562, -20});
  return all;
}

TEST(Lbfgsb, IsAsQuickAsTheReference) {
  int sum = 0, sum_of_reference = 0;
  for (const Reference& each : references()) {
    SCOPED_TRACE(each.name + std::string(" ") + std::to_string(each.start.size()));
    const Optimum got = maximize_lbfgsb(each.objective, each.start, each.lower, each.upper, strict());
    EXPECT_TRUE(got.converged) << got.message;
    EXPECT_NEAR(got.value, each.value, 1e-9 * (1 + std::abs(each.value)));
    EXPECT_LE(got.evaluations, each.evaluations * 11 / 10 + 2);
    sum += got.evaluations;
    sum_of_reference += each.evaluations;
  }
  EXPECT_LE(sum, sum_of_reference);
}

}  // namespace
}  // namespace induce::testing
