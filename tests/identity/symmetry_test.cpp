// Invariances: the order of rows, duplicate rows instead of weights, the sign of the labels, the origin of the
// features, duplicate inducing inputs. The engine is its own oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

// The results of an engine that can be compared between problems.
struct Answer {
  Answer(const naive::Problem& problem, Engine& engine)
      : F(engine.collapsed.F),
        elbo(engine.elbo()),
        gradient(coordinates(problem, engine.fixed_site_gradient())),
        mu(natural_mean(engine.frame, engine.collapsed.q)),
        Sigma(natural_covariance(engine.frame, engine.collapsed.q)) {}

  double F, elbo;
  Vector gradient, mu;
  Matrix Sigma;
};

void expect_same(const Answer& got, const Answer& want, double tolerance) {
  expect_close(got.F, want.F, tolerance, "bound");
  expect_close(got.elbo, want.elbo, tolerance, "elbo");
  expect_close(got.gradient, want.gradient, tolerance, "gradient");
  expect_close(got.mu, want.mu, tolerance, "mu");
  expect_close_matrix(got.Sigma, want.Sigma, tolerance, "Sigma");
}

Answer solve(const naive::Problem& problem, const std::string& rule) {
  Engine engine(problem);
  engine.stage_one(rule, 3);
  return {problem, engine};
}

class Symmetry : public ::testing::TestWithParam<std::string> {
 protected:
  const naive::Problem problem_ = random_problem(17, 2100, 7, 3);  // three blocks of rows
};

TEST_P(Symmetry, RowOrder) {
  naive::Problem shuffled = problem_;
  std::vector<Index> order(static_cast<std::size_t>(problem_.y.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  for (std::size_t i = 0; i < order.size(); ++i) {
    shuffled.X.row(static_cast<Index>(i)) = problem_.X.row(order[i]);
    shuffled.y(static_cast<Index>(i)) = problem_.y(order[i]);
  }
  expect_same(solve(shuffled, GetParam()), solve(problem_, GetParam()), 1e-10);
}

// Duplicating each row doubles each site.
TEST_P(Symmetry, DuplicationIsWeight) {
  const Index n = problem_.y.size();
  naive::Problem twice = problem_;
  twice.X.resize(2 * n, problem_.X.cols());
  twice.X << problem_.X, problem_.X;
  twice.y.resize(2 * n);
  twice.y << problem_.y, problem_.y;

  Engine weighted(problem_), duplicated(twice);
  weighted.stage_one(GetParam(), 2);
  duplicated.sites.w << weighted.sites.w, weighted.sites.w;
  duplicated.sites.t << weighted.sites.t, weighted.sites.t;
  duplicated.sites.c << weighted.sites.c, weighted.sites.c;
  weighted.sites.w *= 2;
  weighted.sites.t *= 2;
  weighted.sites.c *= 2;
  weighted.bound();
  duplicated.bound();
  const Answer got(twice, duplicated), want(problem_, weighted);
  expect_close(got.F, want.F, 1e-10, "bound");
  expect_close(got.gradient, want.gradient, 1e-9, "gradient");
  expect_close(got.mu, want.mu, 1e-10, "mu");
  expect_close_matrix(got.Sigma, want.Sigma, 1e-10, "Sigma");
}

// Negating labels and mean negates f and changes nothing else.
TEST_P(Symmetry, SignOfTheLabels) {
  naive::Problem flipped = problem_;
  flipped.y *= -1;
  flipped.mean *= -1;
  Engine engine(problem_), other(flipped);
  engine.stage_one(GetParam(), 3);
  other.stage_one(GetParam(), 3);
  Answer got(flipped, other);
  const Answer want(problem_, engine);
  got.mu *= -1;
  const Index mean = got.gradient.size() - problem_.Z.size() - 1;
  got.gradient(mean) *= -1;
  expect_same(got, want, 1e-10);
  expect_close(-other.m, engine.m, 1e-10, "m");
  expect_close(other.S2, engine.S2, 1e-10, "S2");
}

TEST_P(Symmetry, Translation) {
  naive::Problem moved = problem_;
  const Eigen::RowVector3d shift(3, -10, 25);
  moved.X.rowwise() += shift;
  moved.Z.rowwise() += shift;
  expect_same(solve(moved, GetParam()), solve(problem_, GetParam()), 1e-9);
}

// Permuting features together with their length-scales changes nothing.
TEST_P(Symmetry, FeatureOrder) {
  naive::Problem swapped = problem_;
  swapped.X.col(0).swap(swapped.X.col(2));
  swapped.Z.col(0).swap(swapped.Z.col(2));
  std::swap(swapped.lengthscales(0), swapped.lengthscales(2));
  Answer got = solve(swapped, GetParam());
  const Index m = problem_.Z.rows();
  std::swap(got.gradient(1), got.gradient(3));
  const Vector Z0 = got.gradient.tail(3 * m).head(m);
  got.gradient.tail(3 * m).head(m) = got.gradient.tail(m);
  got.gradient.tail(m) = Z0;
  expect_same(got, solve(problem_, GetParam()), 1e-10);
}

// A duplicate inducing input adds no information, and without noise K_mm is singular: the first level of jitter
// must suffice. It costs only as much as the jitter itself.
TEST_P(Symmetry, DuplicatedInducingInputWithoutNoise) {
  naive::Problem once = problem_;
  once.noise_std = 0;
  naive::Problem twice = once;
  twice.Z.resize(once.Z.rows() + 2, once.Z.cols());
  twice.Z << once.Z, once.Z.topRows(2);
  Engine engine(once, first_jitter), singular(twice, first_jitter);
  ASSERT_TRUE(singular.frame.ok);
  EXPECT_EQ(singular.frame.jitter, first_jitter);
  engine.stage_one(GetParam(), 3);
  singular.stage_one(GetParam(), 3);
  const double want = engine.elbo(), got = singular.elbo();
  expect_close(got, want, 1e-6, "elbo");
  expect_close(singular.m, engine.m, 1e-5, "m");
  expect_close(singular.S2, engine.S2, 1e-5, "S2");
}

INSTANTIATE_TEST_SUITE_P(EveryRule, Symmetry, ::testing::ValuesIn(site_rule_names()));

}  // namespace
}  // namespace induce::testing
