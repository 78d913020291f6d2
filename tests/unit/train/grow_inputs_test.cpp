// Placement of new inducing inputs. Oracles: the residual kernel written out, and the sparsity penalty before and
// after.
#include <gtest/gtest.h>

#include <set>

#include "core/pass.hpp"
#include "support/bridge.hpp"
#include "support/random_problem.hpp"
#include "train/grow_inputs.hpp"

namespace induce::testing {
namespace {

struct GrowthCase {
  GrowthCase() {
    problem = random_problem(3, 200, 5, 2);
    problem.noise_std = problem.mean = 0;
    frame = place(problem.Z);
  }
  Frame place(const Matrix& Z) const {
    Prior prior = prior_of(problem);
    prior.Z = Z;
    return make_frame(kernel_of(problem), prior);
  }
  double price(const Matrix& Z, const Vector& w) const {
    Workers workers(1);
    const Frame moved = place(Z);
    Vector unused, residual;
    Pass(problem.X, Z.rows(), workers).marginals(moved, certain_posterior(moved), unused, residual);
    return w.dot(residual) / 2;
  }

  naive::Problem problem;
  Frame frame;
};

TEST(GrowInputs, AddsDistinctRowsThatLowerThePenalty) {
  const GrowthCase made;
  const Vector w = Vector::Constant(200, 0.2);
  const Matrix Z = grow_inputs(made.frame, made.problem.X, w, 12, 1);
  ASSERT_EQ(Z.rows(), 17);
  EXPECT_EQ(Matrix(Z.topRows(5)), made.frame.prior.Z);
  std::set<double> seen;
  for (Index k = 5; k < 17; ++k) {
    bool is_a_row = false;
    for (Index i = 0; i < 200; ++i) is_a_row = is_a_row || Z.row(k) == made.problem.X.row(i);
    EXPECT_TRUE(is_a_row);
    EXPECT_TRUE(seen.insert(Z(k, 0)).second) << "drawn twice";
  }
  const double before = made.price(made.frame.prior.Z, w), after = made.price(Z, w);
  EXPECT_LT(after, before / 4);
  // Far better than twelve random rows.
  Matrix random(17, 2);
  random << made.frame.prior.Z, made.problem.X.topRows(12);
  EXPECT_LT(after, made.price(random, w));
}

TEST(GrowInputs, PrefersRowsWithLargeWeights) {
  const GrowthCase made;
  Vector w = Vector::Zero(200);
  w.head(20).setConstant(1);
  const Matrix Z = grow_inputs(made.frame, made.problem.X, w, 8, 1);
  for (Index k = 5; k < Z.rows(); ++k) {
    bool among_the_first = false;
    for (Index i = 0; i < 20; ++i) among_the_first = among_the_first || Z.row(k) == made.problem.X.row(i);
    EXPECT_TRUE(among_the_first);
  }
}

TEST(GrowInputs, StopsWhenNoResidualIsLeft) {
  GrowthCase made;
  RowMatrix X(30, 2);
  for (Index i = 0; i < 30; ++i) X.row(i) << double(i % 3) * 2, 5.0;
  const Matrix Z = grow_inputs(made.frame, X, Vector::Ones(30), 10, 1);
  EXPECT_EQ(Z.rows(), 5 + 3);
}

TEST(GrowInputs, SameSeedSameInputs) {
  const GrowthCase made;
  const Vector w = Vector::Constant(200, 0.2);
  EXPECT_EQ(grow_inputs(made.frame, made.problem.X, w, 6, 9),
            grow_inputs(made.frame, made.problem.X, w, 6, 9));
}

}  // namespace
}  // namespace induce::testing
