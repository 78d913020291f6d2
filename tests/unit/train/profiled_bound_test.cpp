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

// A q that has seen some rows of one class only. Oracle: the same rounds from the prior. From this q they end at -8,070 instead of -71: a
// full step is far too long, and no short one helps.
TEST(ProfiledBound, AWrongQIsNoWorseAStartThanNone) {
  constexpr Index rows = 2000;
  std::srand(3);
  const RowMatrix X = 2 * RowMatrix::Random(rows, 1);
  const Vector y = (2 * X.col(0).array()).sin().sign();
  Vector weight = Vector::Constant(rows, 1e-9);
  for (Index i = 0; i < rows; i += 10)
    if (y[i] < 0) weight[i] = 50;
  const Targets few(y, weight), every(y);
  const Likelihood& logistic = likelihood("logistic");
  const Layout layout{.kernel = make_kernel("se", {.d = 1}), .mean = true, .inputs = true};
  Prior prior{.theta = Vector{{300, 0.3}}, .mean = -5, .Z = X.topRows(15)};
  Workers workers(1);
  ProfiledBound some(rows_of_table(X, few, 15, logistic, "newton", workers, 0), logistic, layout, workers),
      all(rows_of_table(X, every, 15, logistic, "newton", workers, 0), logistic, layout, workers);
  const Vector x = layout.pack(prior);
  some.start(prior);
  some.converge(x, 1e-8);
  ASSERT_TRUE(some.best().ok);
  all.start(prior);
  all.converge(x, 1e-8);
  const double from_prior = all.best().elbo;
  EXPECT_GT(from_prior, -100);
  all.start(prior, some.best().frame, some.best().q());
  all.converge(x, 1e-8);
  EXPECT_GE(all.best().elbo, from_prior - 1);
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

// A stop at any moment leaves the best round so far. Oracle: the same rounds without a stop.
TEST(ProfiledBound, AStopLosesOnlyTheRoundThatItInterrupts) {
  BoundCase made(7);
  const Vector x = made.layout.pack(made.prior);
  ProfiledBound whole = made.bound();
  whole.start(made.prior);
  whole.converge(x, 1e-10);
  double before = -INFINITY;
  bool stopped_between = false;
  for (int polls = 0; before < whole.best().value; ++polls) {
    ASSERT_LT(polls, 1000);
    ProfiledBound bound = made.bound();
    bound.start(made.prior);
    made.workers.stop_when([left = polls]() mutable { return left-- <= 0; });
    bool stopped = false;
    try {
      bound.converge(x, 1e-10);
    } catch (const Stopped&) {
      stopped = true;
    }
    made.workers.stop_when(nullptr);
    const double value = bound.best().ok ? bound.best().value : -INFINITY;
    EXPECT_GE(value, before);
    stopped_between |= stopped && bound.best().ok && value < whole.best().value;
    if (!stopped) {
      EXPECT_EQ(value, whole.best().value);
    }
    before = value;
  }
  EXPECT_TRUE(stopped_between);
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
