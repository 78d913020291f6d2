// Identities of the bound. Oracles: the uncollapsed bound with an explicit KL (support/naive.hpp), the log evidence
// by brute force (support/evidence.hpp), and theory: bounds that must not fall, derivatives that must vanish.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "site/jaakkola_jordan.hpp"
#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/evidence.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

std::string trace_of(const std::string& rule, unsigned seed) {
  return rule + ", seed " + std::to_string(seed);
}

// F, with q eliminated, is the bound of that q with an explicit KL.
TEST(CollapsedBound, MatchesTheUncollapsedBoundOfItsPosterior) {
  for (const std::string& rule : site_rule_names()) {
    for (unsigned seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(trace_of(rule, seed));
      const naive::Problem problem = random_problem(seed, 25, 5, 2);
      Engine engine(problem);
      engine.stage_one(rule, 2);
      const auto [mu, Sigma] = twin_of(engine.frame, engine.collapsed.q);
      expect_close(engine.collapsed.F, naive::uncollapsed_bound(problem, twin_of(engine.sites), mu, Sigma),
                   1e-9, "bound");
    }
  }
}

// The closed form of q is a stationary point of the uncollapsed bound: in mu, and in Sigma = R (I + E) R' for
// symmetric E, which covers every symmetric direction.
TEST(CollapsedBound, DerivativeInMuAndSigmaIsZeroAtTheClosedForm) {
  for (const std::string& rule : site_rule_names()) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(trace_of(rule, seed));
      const naive::Problem problem = random_problem(seed, 25, 4, 2);
      Engine engine(problem);
      engine.stage_one(rule, 2);
      const naive::Posterior q = twin_of(engine.frame, engine.collapsed.q);
      const naive::Sites sites = twin_of(engine.sites);
      const Index m = q.mu.size();

      const auto of_mu = [&](const Vector& mu) {
        return naive::uncollapsed_bound(problem, sites, mu, q.Sigma);
      };
      expect_close(naive::central_difference(of_mu, q.mu), Vector::Zero(m), 1e-7, "in mu");

      const Matrix R = Eigen::LLT<Matrix>(q.Sigma).matrixL();
      const auto of_E = [&](const Vector& entries) {
        Matrix E = Matrix::Identity(m, m);
        for (Index at = 0, j = 0; j < m; ++j) {
          for (Index i = j; i < m; ++i, ++at) {
            E(i, j) += entries(at);
            if (i != j) E(j, i) += entries(at);
          }
        }
        return naive::uncollapsed_bound(problem, sites, q.mu, R * E * R.transpose());
      };
      const Index size = m * (m + 1) / 2;
      expect_close(naive::central_difference(of_E, Vector::Zero(size)), Vector::Zero(size), 1e-7, "in Sigma");
    }
  }
}

TEST(StageOne, NeverLowersTheJaakkolaJordanBound) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    naive::Problem problem = random_problem(seed, 40, 6, 2);
    problem.signal_std *= 1 + seed % 4;
    Engine engine(problem);
    engine.stage_one("jj", 1);
    const double start = engine.collapsed.F;
    for (int round = 0; round < 50; ++round) {
      const double before = engine.collapsed.F;
      engine.refresh("jj");
      EXPECT_GE(engine.collapsed.F, before - 1e-11 * (1 + std::abs(before)))
          << "seed " << seed << ", round " << round;
    }
    EXPECT_GT(engine.collapsed.F, start) << "seed " << seed;
  }
}

// The JJ bound stays below the ELBO of its q, and every ELBO below the log evidence.
TEST(Bounds, AreOrderedBelowTheEvidence) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const naive::Problem problem = random_problem(seed, 3, 2, 2);
    const double evidence = naive::log_evidence(problem);
    for (const std::string& rule : site_rule_names()) {
      for (const int rounds : {1, 2, 8}) {
        SCOPED_TRACE(trace_of(rule, seed));
        Engine engine(problem);
        engine.stage_one(rule, rounds);
        const double elbo = engine.elbo();
        if (rule == "jj") {
          EXPECT_LE(engine.collapsed.F, elbo + 1e-9);
        }
        EXPECT_LE(elbo, evidence + 1e-9);
      }
    }
  }
}

// With Z = X and no noise only the shape of q is restricted: the Newton rule is close to the evidence.
TEST(Bounds, NewtonIsNearlyTightWithoutSparsity) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    naive::Problem problem = random_problem(seed, 3, 3, 2);
    problem.Z = problem.X;
    problem.noise_std = 0;
    Engine engine(problem);
    engine.stage_one("newton", 30);
    const double gap = naive::log_evidence(problem) - engine.elbo();
    EXPECT_GE(gap, -1e-9) << "seed " << seed;
    EXPECT_LE(gap, 0.05) << "seed " << seed;
  }
}

// More inducing inputs allow a richer q and never lower the bound: at fixed sites, and at the fixed point of a rule
// that maximises its bound. (The Taylor rule maximises nothing.)
TEST(Nested, InducingInputsNeverLowerTheBound) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const bool noise : {true, false}) {
      const naive::Problem large = random_problem(seed, 30, 8, 2);
      for (const std::string& rule : site_rule_names()) {
        double at_fixed_sites = -INFINITY, profiled = -INFINITY;
        Sites sites;
        for (const Index m : {1, 2, 4, 6, 8}) {
          SCOPED_TRACE(trace_of(rule, seed) + ", m = " + std::to_string(m));
          naive::Problem problem = large;
          problem.Z = large.Z.topRows(m);
          if (!noise) problem.noise_std = 0;
          Engine engine(problem);
          engine.stage_one(rule, 100);
          const double converged = engine.collapsed.F;
          if (rule != "taylor") {
            EXPECT_GE(converged, profiled - 1e-8);
          }
          profiled = converged;

          if (m == 1) sites = engine.sites;
          engine.sites = sites;
          const double bound = engine.bound();
          EXPECT_GE(bound, at_fixed_sites - 1e-10);
          at_fixed_sites = bound;
        }
      }
    }
  }
}

// The Newton rule at its fixed point: F is the ELBO, and its gradient at fixed sites is that of the ELBO with
// q optimised again at every theta (envelope theorem). Oracle: differences of the re-converged ELBO.
TEST(Newton, GradientAtTheFixedPointMatchesTheProfiledElbo) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const naive::Problem problem = random_problem(seed, 30, 4, 2);
    Engine engine(problem);
    engine.stage_one("newton", 40);
    expect_close(engine.collapsed.F, engine.elbo(), 1e-9, "F and ELBO");
    const Vector got = coordinates(problem, engine.fixed_site_gradient());
    const auto profiled = [&](const Vector& x) {
      engine.place(moved_to(problem, x));
      engine.stage_one("newton", 40);
      return engine.elbo();
    };
    expect_close(got, naive::central_difference(profiled, coordinates(problem)), 1e-5, "gradient");
  }
}

// The gradient of F with respect to xi, as used by vi.cpp.
TEST(Xi, GradientMatchesTheBound) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const naive::Problem problem = random_problem(seed, 12, 4, 2);
    Engine engine(problem);
    const auto of_xi = [&](const Vector& xi) {
      for (Index i = 0; i < xi.size(); ++i)
        jj_site(problem.y[i], xi[i], engine.sites.w[i], engine.sites.t[i], engine.sites.c[i]);
      return engine.bound();
    };
    Vector xi = random_matrix(seed, 12, 1).cwiseAbs() * 3;
    xi.head(2) << 5e-3, -0.4;
    const Vector want = naive::central_difference(of_xi, xi);
    of_xi(xi);
    engine.pass.marginals(engine.frame, engine.collapsed.q, engine.m, engine.S2);
    const Vector got =
        (xi.cwiseAbs2() - engine.m.cwiseAbs2() - engine.S2).cwiseProduct(xi.unaryExpr([](double x) {
          return jj_lambda_slope(x);
        }));
    expect_close(got, want, 1e-8, "gradient");
  }
}

}  // namespace
}  // namespace induce::testing
