// The profiled true bound. Oracles: the twin's ELBO of the same q; central differences of the bound itself; no
// small change of q improves it.
#include <gtest/gtest.h>

#include <cmath>

#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/random_problem.hpp"
#include "support/site_rows.hpp"
#include "train/profiled_bound.hpp"

namespace induce::testing {
namespace {

struct BoundCase {
  explicit BoundCase(unsigned seed)
      : problem(random_problem(seed, 40, 6, 3)),
        prior(prior_of(problem)),
        layout{.kernel = kernel_of(problem), .mean = true, .inputs = true},
        workers(1) {}
  ProfiledBound bound() {
    const Likelihood& logistic = likelihood("logistic");
    return {rows_of_table(problem.X, targets, 6, logistic, "newton", workers, 0), logistic, layout, workers};
  }

  double log_prior() const {
    double sum = -std::pow(std::log(problem.signal_std) / 2, 2) / 2;
    for (const double l : problem.lengthscales) sum -= std::pow(std::log(l / std::sqrt(3.0)), 2) / 2;
    return sum;
  }

  naive::Problem problem;
  Targets targets{problem.y};
  Prior prior;
  Layout layout;
  Workers workers;
};

// Enough calls from one warm start for the sites to reach their fixed point.
double settled_value(ProfiledBound& bound, const Prior& prior, const Vector& x, Vector& gradient) {
  bound.start(prior);
  double value = 0;
  for (int call = 0; call < 6; ++call) value = bound(x, gradient);
  return value;
}

TEST(ProfiledBound, MatchesTheTwinsElboPlusTheLogPrior) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    BoundCase made(seed);
    ProfiledBound bound = made.bound();
    Vector gradient(made.layout.size(made.prior));
    const double value = settled_value(bound, made.prior, made.layout.pack(made.prior), gradient);
    const ProfiledPoint& best = bound.best();
    const naive::Posterior q = twin_of(best.frame, best.collapsed[0].q);
    expect_close(best.elbo, naive::elbo(made.problem, q.mu, q.Sigma), 1e-7, "elbo");
    expect_close(value, best.elbo + made.log_prior(), 1e-9, "value");
    for (Index j = 0; j < 6; ++j) {  // q is optimal: moving mu either way lowers the twin's bound
      for (const double step : {-1e-2, 1e-2}) {
        Vector mu = q.mu;
        mu(j) += step;
        EXPECT_LT(naive::elbo(made.problem, mu, q.Sigma), best.elbo + 1e-7);
      }
    }
  }
}

// Oracle: once more from the marginals of the result. Nothing is left to gain.
TEST(ProfiledBound, ConvergedSitesAreAtTheirFixedPoint) {
  BoundCase made(7);
  const Vector x = made.layout.pack(made.prior);
  ProfiledBound bound = made.bound();
  bound.start(made.prior);
  bound.converge(x, 1e-10);
  const ProfiledPoint first = bound.best();
  ASSERT_TRUE(first.ok);
  bound.start(first.prior, first.frame, first.q());
  bound.converge(x, 1e-10);
  EXPECT_NEAR(bound.best().elbo, first.elbo, 1e-8);
  expect_close(bound.best().collapsed[0].q.a, first.collapsed[0].q.a, 1e-5, "a");
}

TEST(ProfiledBound, GradientMatchesCentralDifferences) {
  for (const unsigned seed : {4u, 5u}) {
    BoundCase made(seed);
    ProfiledBound bound = made.bound();
    const Vector x = made.layout.pack(made.prior);
    Vector gradient(x.size()), unused(x.size());
    settled_value(bound, made.prior, x, gradient);
    const Vector difference = naive::central_difference(
        [&](const Vector& at) { return settled_value(bound, made.prior, at, unused); }, x, 1e-3);
    expect_close(gradient, difference, 2e-5, "gradient");
  }
}

TEST(ProfiledBound, RejectsAndForgetsANonFinitePoint) {
  BoundCase made(6);
  ProfiledBound bound = made.bound();
  bound.start(made.prior);
  Vector x = made.layout.pack(made.prior), gradient(x.size());
  const double good = bound(x, gradient);
  Vector broken = x;
  broken[0] = NAN;
  EXPECT_FALSE(std::isfinite(bound(broken, gradient)));
  EXPECT_EQ(bound.best().value, good);
}

}  // namespace
}  // namespace induce::testing
