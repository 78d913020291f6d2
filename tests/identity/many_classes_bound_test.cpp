// The true bound of the softmax, profiled over q, and what it promises. Oracles: the twin's ELBO of the same q and of changed
// ones; central differences; the log evidence by importance sampling with its error; sampling of f for predictions.
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/random.hpp"
#include "support/class_engine.hpp"
#include "support/close.hpp"
#include "support/random_problem.hpp"
#include "support/site_rows.hpp"
#include "train/profiled_bound.hpp"
#include "train/row_sums.hpp"

namespace induce::testing {
namespace {

// Holds what a ProfiledBound refers to.
struct ClassBound {
  explicit ClassBound(const naive::ClassProblem& made)
      : problem(made),
        targets(made.y, made.weight),
        prior(prior_of(made)),
        layout(layout_of(made)),
        softmax(likelihood("softmax", static_cast<std::size_t>(made.classes()))),
        bound(rows_of_table(problem.X, targets, made.Z.rows(), softmax, "newton", workers, 0), softmax,
              layout, workers) {}

  // Enough calls for the sites to reach their fixed point: the rounds converge linearly, because a site has no terms
  // between classes.
  double settled(const Vector& x, Vector& gradient, int calls = 60) {
    bound.start(prior);
    return continued(x, gradient, calls);
  }
  double continued(const Vector& x, Vector& gradient, int calls) {
    double value = 0;
    for (int call = 0; call < calls; ++call) value = bound(x, gradient);
    return value;
  }

  naive::ClassProblem problem;
  Targets targets;
  Prior prior;
  Layout layout;
  const Likelihood& softmax;
  Workers workers{1};
  ProfiledBound bound;
};

// Weak priors on theta: N(0, 1) on log sf, N(log sqrt d, 1) on log l (docs/math.md), N(0, 1/4) on the log scales; noise and
// means have none.
double log_prior_of(const naive::ClassProblem& problem) {
  const auto square = [](double x) { return x * x; };
  double sum = square(std::log(problem.signal_std) / 2);
  for (const double l : problem.lengthscales)
    sum += square(std::log(l / std::sqrt(static_cast<double>(problem.X.cols()))));
  for (const double r : problem.scale) sum += 4 * square(std::log(r));
  return -sum / 2;
}

TEST(ManyClassProfile, ValueIsTheTwinsElboPlusTheLogPrior) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    naive::ClassProblem problem = random_class_problem(seed, 8, 3, 2);
    problem.noise_std = 0;
    ClassBound made(problem);
    const Vector x = coordinates(problem);
    Vector gradient(x.size());
    const double value = made.settled(x, gradient);
    const ProfiledPoint& best = made.bound.best();
    expect_close(value, best.elbo + log_prior_of(problem), 1e-9, "value");
    expect_close(best.elbo, naive::elbo(problem, class_posteriors(best.frame, best.q())), 1e-8, "elbo");
  }
}

// Each call continues from the last one's sites; the rounds stop when one gains less than 1e-4, relative.
TEST(ManyClassProfile, RoundsNeverLowerTheBound) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    naive::ClassProblem problem = random_class_problem(seed, 40, 6, 2);
    problem.signal_std *= 4;  // steep: full steps overshoot
    ClassBound made(problem);
    const Vector x = coordinates(problem);
    Vector gradient(x.size());
    made.bound.start(made.prior);
    double last = -INFINITY, first = 0;
    for (int call = 0; call < 8; ++call) {
      const double value = made.bound(x, gradient);
      ASSERT_TRUE(std::isfinite(value));
      if (call == 0) first = value;
      EXPECT_GE(value, last - 1e-7 * std::abs(value)) << "seed " << seed << ", call " << call;
      last = value;
    }
    EXPECT_NEAR(first, last, 2e-3 * std::abs(last)) << "most of it in the first call";
  }
}

TEST(ManyClassProfile, GradientIsACentralDifference) {
  for (const unsigned seed : {4u, 5u}) {
    const naive::ClassProblem problem = random_class_problem(seed, 20, 3, 1);
    ClassBound made(problem);
    const Vector x = coordinates(problem);
    Vector gradient(x.size()), unused(x.size());
    made.settled(x, gradient, 100);
    const Fitted fixed = made.bound.best().fitted();
    const auto value = [&](const Vector& at) {  // from the fixed point at x, which is near
      made.bound.start(made.prior, fixed.frame, fixed.q);
      return made.continued(at, unused, 25);
    };
    expect_close(gradient, naive::central_difference(value, x, 1e-3), 2e-5, "gradient");
  }
}

// Other names for the classes: the same value, and a gradient whose entries have moved with them.
TEST(ManyClassProfile, ClassesArePermutable) {
  const naive::ClassProblem problem = random_class_problem(9, 25, 4, 2, 4);
  const Index to[] = {2, 0, 3, 1};
  naive::ClassProblem permuted = problem;
  for (double& label : permuted.y) label = static_cast<double>(to[static_cast<Index>(label)]);
  for (Index c = 0; c < 4; ++c) {
    permuted.mean[to[c]] = problem.mean[c];
    permuted.scale[to[c]] = problem.scale[c];
  }
  ClassBound one(problem), other(permuted);
  const Vector x = coordinates(problem);
  Vector gradient(x.size()), moved(x.size());
  expect_close(other.settled(coordinates(permuted), moved, 3), one.settled(x, gradient, 3), 1e-11, "value");
  Vector want = gradient;
  const Index scales = one.prior.theta.size();
  for (Index c = 0; c < 4; ++c) {
    want[scales + to[c]] = gradient[scales + c];
    want[scales + 4 + to[c]] = gradient[scales + 4 + c];
  }
  expect_close(moved, want, 1e-9, "gradient");
}

// q is optimal: no small change of any mean or covariance raises the twin's bound.
TEST(ManyClassProfile, TheFixedPointMaximisesTheBound) {
  const naive::ClassProblem problem = random_class_problem(6, 10, 3, 1);
  ClassBound made(problem);
  const Vector x = coordinates(problem);
  Vector gradient(x.size());
  made.settled(x, gradient);
  const ProfiledPoint& best = made.bound.best();
  const std::vector<naive::Posterior> q = class_posteriors(best.frame, best.q());
  const double top = naive::elbo(problem, q);
  for (std::size_t c = 0; c < 3; ++c)
    for (Index j = 0; j < 3; ++j)
      for (const double step : {-2e-2, 2e-2}) {
        std::vector<naive::Posterior> moved = q;
        moved[c].mu[j] += step;
        EXPECT_LT(naive::elbo(problem, moved), top) << c << ", mu " << j;
        moved = q;
        moved[c].Sigma.row(j) *= 1 + step;
        moved[c].Sigma.col(j) *= 1 + step;
        EXPECT_LT(naive::elbo(problem, moved), top) << c << ", Sigma " << j;
      }
}

// Six rows and three classes: the bound is below the log evidence, and close to it if every row is an inducing input.
TEST(ManyClassEvidence, TheBoundIsBelow) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    naive::ClassProblem problem = random_class_problem(seed, 6, 6, 1);
    problem.noise_std = 0;
    problem.signal_std = 1;
    problem.weight.setOnes();
    problem.Z = problem.X;
    ClassBound dense(problem);
    Vector x = coordinates(problem), gradient(x.size());
    dense.settled(x, gradient);
    const ProfiledPoint& best = dense.bound.best();
    ClassEngine proposal(problem);
    proposal.start();
    proposal.rounds(20);
    const naive::Estimate evidence = naive::log_evidence(problem, class_sites(proposal.sites), 60000, seed);
    ASSERT_LT(evidence.error, 0.02);
    EXPECT_LT(best.elbo, evidence.value + 4 * evidence.error);
    EXPECT_GT(best.elbo, evidence.value - 0.4);

    naive::ClassProblem sparse = problem;
    sparse.Z = problem.X.topRows(3);
    ClassBound few(sparse);
    x = coordinates(sparse);
    gradient.resize(x.size());
    few.settled(x, gradient);
    EXPECT_LT(few.bound.best().elbo, best.elbo + 1e-6) << "fewer inducing inputs, a lower bound";
  }
}

// The oracle of the test above against plain Monte Carlo from the prior, whose weights are probabilities.
TEST(ManyClassEvidence, ImportanceSamplingAgreesWithThePrior) {
  naive::ClassProblem problem = random_class_problem(3, 6, 6, 1);
  problem.noise_std = 0;
  problem.Z = problem.X;
  ClassEngine engine(problem);
  engine.start();
  engine.rounds(5);
  const naive::ClassSites none{Matrix::Zero(6, 3), Matrix::Zero(6, 3), Vector::Zero(6)};
  const naive::Estimate by_q = naive::log_evidence(problem, class_sites(engine.sites), 50000, 1),
                        by_prior = naive::log_evidence(problem, none, 200000, 2);
  EXPECT_LT(by_prior.error, 0.05);
  EXPECT_NEAR(by_q.value, by_prior.value, 4 * std::hypot(by_q.error, by_prior.error));
}

// Predictive probabilities against the average of the softmax over draws of f from its marginals, within five errors.
TEST(ManyClassPrediction, AgreesWithSampling) {
  constexpr int draws = 200000;
  const naive::ClassProblem problem = random_class_problem(8, 6, 3, 1);
  ClassEngine engine(problem);
  engine.start();
  engine.rounds(8);
  engine.bound();
  const RowMatrix rows = 2 * random_matrix(9, 4, 1);
  Vector m, S2;
  Pass(rows, 3, engine.workers).marginals(engine.frame, engine.q(), m, S2);
  const Vector got = predictive_probabilities(engine.likelihood, m, S2, engine.workers);
  Random random(10);
  for (Index i = 0; i < rows.rows(); ++i) {
    double sum[3] = {}, squares[3] = {};
    for (int k = 0; k < draws; ++k) {
      double p[3], all = 0;
      for (Index c = 0; c < 3; ++c)
        all += p[c] = std::exp(m[3 * i + c] + std::sqrt(S2[3 * i + c]) * random.normal());
      for (Index c = 0; c < 3; ++c) {
        sum[c] += p[c] / all;
        squares[c] += p[c] / all * p[c] / all;
      }
    }
    EXPECT_NEAR(got.segment(3 * i, 3).sum(), 1, 1e-12);
    for (Index c = 0; c < 3; ++c) {
      const double mean = sum[c] / draws, error = std::sqrt((squares[c] / draws - mean * mean) / draws);
      EXPECT_NEAR(got[3 * i + c], mean, 5 * error) << i << ", " << c;
    }
  }
}

}  // namespace
}  // namespace induce::testing
