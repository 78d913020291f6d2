// A posterior as the prior of more rows (core/onto.hpp). Oracle: the posterior of all rows at once at the same sites.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/fitted.hpp"
#include "core/onto.hpp"
#include "core/pass.hpp"
#include "linalg/random.hpp"
#include "support/class_engine.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

Sites of_rows(const Sites& all, Index first, Index rows, Index functions) {
  Sites part(rows, functions);
  part.w = all.w.segment(first * functions, rows * functions);
  part.t = all.t.segment(first * functions, rows * functions);
  part.c = all.c.segment(first, rows);
  return part;
}

// Learns the first rows as a fit does, the others onto them, and compares with all at once.
void expect_joint(const Frame& frame, const RowMatrix& X, const Sites& sites, Index first, double tolerance) {
  Workers workers(1);
  const Index functions = frame.functions(), rest = X.rows() - first;
  const RowMatrix A = X.topRows(first), B = X.bottomRows(rest);
  Pass of_all(X, frame.m(), workers), of_A(A, frame.m(), workers), of_B(B, frame.m(), workers);
  for (Index c = 0; c < functions; ++c) {
    Collapsed all, old;
    collapse(frame, of_all.first_half(frame, sites), all, c);
    collapse(frame, of_A.first_half(frame, of_rows(sites, 0, first, functions)), old, c);
    ASSERT_TRUE(all.ok && old.ok);
    const OldPosterior prior(old.q);
    ASSERT_TRUE(prior.ok());
    Posterior q;
    Sums& sums = of_B.first_half(frame, of_rows(sites, first, rest, functions));
    const double KL = prior.learn(frame, sums, c, q);
    expect_close(q.a, all.q.a, tolerance, "a");
    expect_close_matrix(q.D, all.q.D, tolerance, "D");

    // KL(q || q_0) of two Gaussians, by explicit inverses.
    const Index M = frame.size();
    const Matrix C0 = Matrix::Identity(M, M) - old.q.D, C = Matrix::Identity(M, M) - all.q.D;
    const Vector step = all.q.a - old.q.a;
    const Matrix inverse = C0.inverse();
    const double want = ((inverse * C).trace() - static_cast<double>(M) + step.dot(inverse * step) +
                         std::log(C0.determinant() / C.determinant())) /
                        2;
    expect_close(KL, want, 1e-6, "KL");

    // All of it forgotten in halves is the posterior of half the sites.
    Sites halved = sites;
    halved.w /= 2;
    halved.t /= 2;
    Collapsed half;
    collapse(frame, of_all.first_half(frame, halved), half, c);
    const Posterior forgotten = forget(frame, all.q, 0.5);
    expect_close(forgotten.a, half.q.a, tolerance, "a of half the sites");
    expect_close_matrix(forgotten.D, half.q.D, tolerance, "D of half the sites");
  }
}

TEST(Onto, TwoClassesEqualTheJointPosteriorAtTheSameSites) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const naive::Problem problem = random_problem(seed, 60, 7, 2);
    Engine engine(problem);
    engine.stage_one("newton", 3);
    expect_joint(engine.frame, engine.X, engine.sites, 35, 1e-10);
    expect_joint(engine.frame, engine.X, engine.sites, 1, 1e-10);
  }
}

TEST(Onto, ThreeClassesEqualTheJointPosteriorAtTheSameSites) {
  const naive::ClassProblem problem = random_class_problem(3, 40, 6, 2);
  ClassEngine engine(problem);
  engine.start();
  engine.rounds(3);
  expect_joint(engine.frame, engine.X, engine.sites, 25, 1e-10);
}

// Terms have values of their own, and a row [v; C'h].
TEST(Onto, TermsEqualTheJointPosteriorAtTheSameSites) {
  const Index n = 80;
  RowMatrix X = random_matrix(4, n, 2);
  KernelSetting setting{.d = 2};
  for (const Index knots : {6, 4})
    for (Index column = 0; column < 2; ++column) {
      Axis axis{.first = column, .count = 1, .value = column, .knots = {}, .ranks = {}};
      std::vector<std::pair<double, double>> values;
      for (Index i = 0; i < n; ++i) values.emplace_back(X(i, column), 1);
      place_knots(axis, values, knots);
      (knots == 6 ? setting.axes : setting.pair_axes).push_back(axis);
    }
  for (const std::string name : {"se+mains:0,1+pairs:0*1", "mains:0,1"}) {
    const auto kernel = make_kernel(name, setting);
    Prior prior{.theta = kernel->start(), .mean = 0.2, .Z = random_matrix(5, name == "mains:0,1" ? 0 : 5, 2)};
    const Frame frame = make_frame(kernel, prior);
    ASSERT_TRUE(frame.ok);
    Sites sites(n);
    Random random(6);
    for (Index i = 0; i < n; ++i) {
      sites.w[i] = 0.05 + random.uniform();
      sites.t[i] = random.normal();
    }
    expect_joint(frame, X, sites, 50, 1e-10);
  }
}

// Old rows leave so little doubt that B = (I - D)^-1 has lost its digits: sigma_f = 100 and a million copies of each row.
TEST(Onto, KeepsItsDigitsWhereOldRowsLeaveNoDoubt) {
  naive::Problem problem = random_problem(8, 60, 7, 2);
  problem.signal_std = 100;
  Engine engine(problem);
  engine.stage_one("newton", 2);
  Sites heavy = engine.sites;
  heavy.w *= 1e6;
  heavy.t *= 1e6;
  Workers workers(1);
  const RowMatrix A = engine.X.topRows(40), B = engine.X.bottomRows(20);
  Pass of_all(engine.X, 7, workers), of_A(A, 7, workers), of_B(B, 7, workers);
  Collapsed all, old;
  collapse(engine.frame, of_all.first_half(engine.frame, heavy), all);
  collapse(engine.frame, of_A.first_half(engine.frame, of_rows(heavy, 0, 40, 1)), old);
  Posterior q;
  OldPosterior(old.q).learn(engine.frame, of_B.first_half(engine.frame, of_rows(heavy, 40, 20, 1)), 0, q);
  Vector want, got, S2;
  of_all.marginals(engine.frame, all.q, want, S2);
  of_all.marginals(engine.frame, q, got, S2);
  expect_close(got, want, 1e-4, "means of the rows");
}

}  // namespace
}  // namespace induce::testing
