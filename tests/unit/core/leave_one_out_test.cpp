// The closed form of leave-one-out. Oracles: the engine rerun on the other rows at the same theta and Z, with the same sites
// or to their fixed point; and repeated rows instead of weights.
#include <gtest/gtest.h>

#include "core/leave_one_out.hpp"
#include "site/jaakkola_jordan.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

naive::Problem without(const naive::Problem& problem, Index left_out) {
  std::vector<Index> others;
  for (Index i = 0; i < problem.X.rows(); ++i)
    if (i != left_out) others.push_back(i);
  naive::Problem rest = problem;
  rest.X = RowMatrix(problem.X(others, Eigen::all));
  rest.y = Vector(problem.y(others));
  return rest;
}

TEST(LeaveOneOut, MatchesARefitWithTheSameSites) {
  for (const std::string& rule : site_rule_names()) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      const naive::Problem problem = random_problem(seed, 25, 6, 2);  // with a mean and noise
      Engine engine(problem);
      engine.stage_one(rule, 3);
      engine.pass.marginals(engine.frame, engine.collapsed.q, engine.m, engine.S2);
      const LeaveOneOut found =
          leave_one_out(engine.pass, engine.frame, engine.sites, Vector::Ones(25), engine.m, engine.S2);
      for (Index i = 0; i < 25; ++i) {
        Engine refit(without(problem, i));
        for (Index k = 0, j = 0; k < 25; ++k) {
          if (k == i) continue;
          refit.sites.w[j] = engine.sites.w[k];
          refit.sites.t[j] = engine.sites.t[k];
          refit.sites.c[j++] = engine.sites.c[k];
        }
        refit.bound();
        Vector m, S2;
        const RowMatrix row = problem.X.row(i);
        Pass(row, 6, refit.workers).marginals(refit.frame, refit.collapsed.q, m, S2);
        expect_close(found.m[i], m[0], 1e-10, rule + " mean");
        expect_close(found.S2[i], S2[0], 1e-10, rule + " variance");
      }
    }
  }
}

// Oracle: rounds of sites to their fixed point without the row, at the same theta and Z. Only Jaakkola-Jordan sites need it.
TEST(LeaveOneOut, MeansFollowTheSitesOfTheOtherRows) {
  double held = 0, moving = 0;
  for (unsigned seed = 0; seed < 4; ++seed) {
    naive::Problem problem = random_problem(seed, 40, 6, 2);
    problem.signal_std = 2;
    Engine engine(problem);
    engine.stage_one("jj", 200);
    engine.pass.marginals(engine.frame, engine.collapsed.q, engine.m, engine.S2);
    const Vector weight = Vector::Ones(40);
    const LeaveOneOut fixed =
        leave_one_out(engine.pass, engine.frame, engine.sites, weight, engine.m, engine.S2);
    const Vector found =
        *means_without_each(engine.pass, engine.frame, engine.sites,
                            jj_slopes(engine.sites, weight, engine.m, engine.S2), weight, engine.m);
    const Vector negative = Vector::Constant(40, -100);  // no q has these
    EXPECT_FALSE(means_without_each(engine.pass, engine.frame, engine.sites, negative, weight, engine.m));
    for (Index i = 0; i < 40; ++i) {
      Engine refit(without(problem, i));
      refit.stage_one("jj", 200);
      Vector m, S2;
      const RowMatrix row = problem.X.row(i);
      Pass(row, 6, refit.workers).marginals(refit.frame, refit.collapsed.q, m, S2);
      held += std::abs(fixed.m[i] - m[0]);
      moving += std::abs(found[i] - m[0]);
    }
  }
  EXPECT_LT(moving, held / 2);
}

TEST(LeaveOneOut, LeavesOneCopyOfAWeightedRowOut) {
  const naive::Problem once = random_problem(7, 10, 4, 2);
  naive::Problem thrice = once;
  thrice.X.resize(12, 2);
  thrice.X << once.X, once.X.row(0), once.X.row(0);
  thrice.y.resize(12);
  thrice.y << once.y, once.y[0], once.y[0];
  Engine copies(thrice);
  copies.stage_one("newton", 4);
  copies.pass.marginals(copies.frame, copies.collapsed.q, copies.m, copies.S2);
  const LeaveOneOut want =
      leave_one_out(copies.pass, copies.frame, copies.sites, Vector::Ones(12), copies.m, copies.S2);

  Engine weighted(once);
  Vector weight = Vector::Ones(10);
  weight[0] = 3;
  for (Vector Sites::*part : {&Sites::w, &Sites::t, &Sites::c}) {
    weighted.sites.*part = (copies.sites.*part).head(10);
    (weighted.sites.*part)[0] *= 3;
  }
  weighted.bound();
  weighted.pass.marginals(weighted.frame, weighted.collapsed.q, weighted.m, weighted.S2);
  const LeaveOneOut found =
      leave_one_out(weighted.pass, weighted.frame, weighted.sites, weight, weighted.m, weighted.S2);
  expect_close(found.m, Vector(want.m.head(10)), 1e-10, "mean");
  expect_close(found.S2, Vector(want.S2.head(10)), 1e-10, "variance");
}

}  // namespace
}  // namespace induce::testing
