// The tight trace term. Oracles: the log evidence by brute force, the loose bound at the same sites, the
// q(f | u) of its derivation as dense matrices, central differences, and theory: no refresh lowers the bound.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/tight_trace.hpp"
#include "site/jaakkola_jordan.hpp"
#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/evidence.hpp"
#include "support/random_problem.hpp"
#include "support/site_rows.hpp"

namespace induce::testing {
namespace {

struct Tight : Engine {
  explicit Tight(const naive::Problem& problem)
      : Engine(problem),
        targets(y),
        rows(rows_of_table(X, targets, frame.m(), likelihood, "jj", workers, 0)) {}

  SiteRows::TightTrace gain(const Sites& at, bool with_adjoint = false) {
    return rows->tight_trace(frame, certain_posterior(frame), rows->make_sites(at.w, at.t, at.c.sum()),
                             with_adjoint);
  }
  double tight_bound() {
    trace = gain(sites);
    return bound() + trace.gain;
  }
  void refresh_tight() {  // after tight_bound()
    const SiteSet old = rows->make_sites(sites.w, sites.t, sites.c.sum());
    const SiteSet next = rows->second_half(frame, collapsed.q, old, {.residual = &trace.residual}).next;
    rows->read_sites(next, sites.w, sites.t);
    sites.c.setConstant(next.c / static_cast<double>(sites.c.size()));  // only their sum matters
  }

  Targets targets;
  std::unique_ptr<SiteRows> rows;
  SiteRows::TightTrace trace;
};

TEST(TightTrace, LiesBetweenTheLooseBoundAndTheEvidence) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    naive::Problem problem = random_problem(seed, 3, 1 + seed % 2, 2);
    problem.signal_std *= 1 + seed % 3;
    Tight tight(problem);
    tight.stage_one("jj", 1 + int(seed % 5));
    const double evidence = naive::log_evidence(problem);
    for (int round = 0; round < 6; ++round) {
      const double loose = tight.bound(), bound = tight.tight_bound();
      EXPECT_GT(bound, loose) << seed;
      EXPECT_LT(bound, evidence + 1e-9) << seed;
      tight.refresh_tight();
    }
  }
}

TEST(TightTrace, NoRefreshLowersTheBound) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    naive::Problem problem = random_problem(seed, 40, 5, 2);
    problem.signal_std *= 1 + seed % 4;
    Tight tight(problem);
    tight.stage_one("jj", 1);
    double before = tight.tight_bound();
    for (int round = 0; round < 30; ++round) {
      tight.refresh_tight();
      const double now = tight.tight_bound();
      EXPECT_GE(now, before - 1e-11 * (1 + std::abs(before))) << "seed " << seed << ", round " << round;
      before = now;
    }
  }
}

// F + G equals E_q log(lower bound) - KL(q(u) || p(u)) - E KL(q(f | u) || p(f | u)) with the M of the derivation.
TEST(TightTrace, MatchesTheBoundOfItsConditional) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    naive::Problem problem = random_problem(seed, 6, 2, 2);
    problem.noise_std = 0.4;  // K~ well away from singular
    Tight tight(problem);
    tight.stage_one("jj", 2);
    const double found = tight.tight_bound();
    const Matrix K_mm = problem.K_mm(), K_nm = problem.K_nm(), K_nn = problem.K_nn();
    const Matrix K_t = K_nn - K_nm * K_mm.inverse() * K_nm.transpose();
    const Vector lambda = tight.sites.w / 2;
    const Matrix half = lambda.cwiseSqrt().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(half * K_t * half);
    const Matrix R = eigen.operatorSqrt();
    const Vector v = (1 + 2 * lambda.array() * K_t.diagonal().array()).inverse();
    const Matrix M = half.inverse() * R * v.asDiagonal() * R * half.inverse();
    const double conditional_kl =
        ((K_t.inverse() * M).trace() - 6 - std::log(M.determinant() / K_t.determinant())) / 2;
    // The loose bound has M = K~ and no conditional KL.
    const double want =
        tight.bound() + (lambda.array() * (K_t.diagonal() - M.diagonal()).array()).sum() - conditional_kl;
    expect_close(found, want, 1e-8, "bound");
  }
}

TEST(TightTrace, GradientMatchesCentralDifferences) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const naive::Problem problem = random_problem(seed, 30, 5, 3);
    Tight tight(problem);
    tight.stage_one("jj", 2);
    const Sites sites = tight.sites;
    const auto gain = [&](const Vector& x) {
      Tight moved(moved_to(problem, x));
      moved.targets.weight[3] = 2.5;
      return moved.gain(sites).gain;
    };
    const Vector x = coordinates(problem);
    tight.targets.weight[3] = 2.5;
    const Gradient found = tight_gain_gradient(tight.frame, *tight.gain(sites, true).adjoint);
    expect_close(coordinates(problem, found), naive::central_difference(gain, x), 1e-6, "gradient");
  }
}

}  // namespace
}  // namespace induce::testing
