// The bound of ordered classes. Oracles: the Laplace approximation by Newton's method, central differences of the bound and of a sum
// over rows, an ELBO by brute-force integrals.
#include <gtest/gtest.h>

#include "core/posterior.hpp"
#include "likelihood/thresholds.hpp"
#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/random_problem.hpp"
#include "support/site_rows.hpp"
#include "train/fit_thresholds.hpp"
#include "train/profiled_bound.hpp"
#include "train/row_sums.hpp"

namespace induce::testing {
namespace {

const Vector kThresholds{{-0.9, 0.3, 1.4}};
constexpr Index kClasses = 4;

struct OrdinalProblem {
  OrdinalProblem(unsigned seed, Index n, Index m, Index d) : naive(random_problem(seed, n, m, d)) {
    naive.mean = 0;
    Vector y(n);
    const Vector f = random_matrix(seed + 100, n, 1);
    for (Index i = 0; i < n; ++i) y[i] = static_cast<double>((f[i] > -0.7) + (f[i] > 0) + (f[i] > 0.8));
    targets = Targets(y, random_matrix(seed + 7, n, 1).cwiseAbs().array() + 0.5);
  }
  Prior prior() const {
    Prior made = prior_of(naive);
    made.thresholds = kThresholds;
    return made;
  }

  naive::Problem naive;
  Targets targets;
};

const Likelihood& unparametrized() { return likelihood("ordinal", kClasses); }

// sum_i weight_i l(f_i) and its derivatives by their definition.
double log_likelihood(const Targets& targets, const Vector& f, Vector& slope, Vector& W) {
  double sum = 0;
  for (Index i = 0; i < f.size(); ++i) {
    const auto k = static_cast<Index>(targets.y[i]);
    const double upper = k < 3 ? naive::sigmoid(kThresholds[k] - f[i]) : 1,
                 lower = k > 0 ? naive::sigmoid(kThresholds[k - 1] - f[i]) : 0;
    sum += targets.weight[i] * std::log(upper - lower);
    // d sigma(b - f)/df = -sigma (1 - sigma), so l' = -(u(1-u) - v(1-v))/(u - v) = u + v - 1 and l'' = -u(1-u) - v(1-v)
    slope[i] = targets.weight[i] * (upper + lower - 1);
    W[i] = targets.weight[i] * (upper * (1 - upper) + lower * (1 - lower));
  }
  return sum;
}

// With Z = X and no noise, as for two classes (likelihoods_test.cpp).
TEST(OrdinalBound, TaylorWithInputsAtTheRowsIsTheLaplaceApproximation) {
  OrdinalProblem made(7, 20, 20, 2);
  made.naive.noise_std = 0;
  made.naive.Z = made.naive.X;
  const Matrix K = made.naive.K_mm(), K_inverse = K.inverse();
  Vector f = Vector::Zero(20), slope(20), W(20);
  for (int step = 0; step < 50; ++step) {
    log_likelihood(made.targets, f, slope, W);
    f = (K_inverse + Matrix(W.asDiagonal())).inverse() * (W.asDiagonal() * f + slope);
  }
  const double l = log_likelihood(made.targets, f, slope, W);

  Workers workers(1);
  const auto rows = rows_of_table(made.naive.X, made.targets, 20, unparametrized(), "taylor", workers, 0);
  const Frame frame = make_frame(kernel_of(made.naive), made.prior(), 0);
  Collapsed collapsed;
  collapsed.q = posterior_from(frame, Vector::Zero(20), Matrix::Identity(20, 20));
  SiteSet sites = rows->sites_at(frame, collapsed.q);
  for (int round = 0; round < 50; ++round) {
    collapse(frame, rows->first_half(frame, sites), collapsed);
    sites = rows->sites_at(frame, collapsed.q);
  }
  Pass pass(made.naive.X, 20, workers);
  Vector m, S2;
  pass.marginals(frame, collapsed.q, m, S2);
  expect_close(m, f, 1e-7, "mode");
  const Matrix S = (K_inverse + Matrix(W.asDiagonal())).inverse();
  expect_close(S2, Vector(S.diagonal()), 1e-7, "variance");
  const Matrix B = Matrix::Identity(20, 20) + K * W.asDiagonal();
  expect_close(collapsed.F, l - f.dot(K_inverse * f) / 2 - std::log(B.determinant()) / 2, 1e-7,
               "log evidence");
}

TEST(OrdinalBound, ProfiledGradientIsACentralDifference) {
  const OrdinalProblem made(4, 40, 6, 3);
  const Prior prior = made.prior();
  const Layout layout{.kernel = kernel_of(made.naive), .mean = false, .inputs = true, .thresholds = true};
  Workers workers(1);
  ProfiledBound bound(rows_of_table(made.naive.X, made.targets, 6, unparametrized(), "newton", workers, 0),
                      unparametrized(), layout, workers);
  const auto value = [&](const Vector& x, Vector& gradient) {
    bound.start(prior);
    double last = 0;
    for (int call = 0; call < 6; ++call) last = bound(x, gradient);
    return last;
  };
  const Vector x = layout.pack(prior);
  EXPECT_EQ(x.size(), prior.theta.size() + 3 + 6 * 3);
  EXPECT_LT((layout.pack(layout.unpack(prior, x)) - x).norm(), 1e-14);
  Vector gradient(x.size()), unused(x.size());
  value(x, gradient);
  expect_close(gradient,
               naive::central_difference([&](const Vector& at) { return value(at, unused); }, x, 1e-3), 2e-5,
               "gradient");
}

// The bound is that of the definition: E log p by the twin's integrals, minus the KL divergence.
TEST(OrdinalBound, IsTheElboOfItsPosterior) {
  const OrdinalProblem made(5, 30, 6, 2);
  const Layout layout{.kernel = kernel_of(made.naive), .mean = false, .inputs = false, .thresholds = true};
  Workers workers(1);
  ProfiledBound bound(rows_of_table(made.naive.X, made.targets, 6, unparametrized(), "newton", workers, 0),
                      unparametrized(), layout, workers);
  bound.start(made.prior());
  bound.converge(layout.pack(made.prior()), 1e-10);
  const ProfiledPoint& best = bound.best();
  Pass pass(made.naive.X, 6, workers);
  Vector m, S2;
  pass.marginals(best.frame, best.collapsed[0].q, m, S2);
  double sum = 0;
  for (Index i = 0; i < m.size(); ++i) {
    const auto k = static_cast<Index>(made.targets.y[i]);
    sum +=
        made.targets.weight[i] * naive::gaussian_expectation(
                                     [&](double f) {
                                       return std::log((k < 3 ? naive::sigmoid(kThresholds[k] - f) : 1) -
                                                       (k > 0 ? naive::sigmoid(kThresholds[k - 1] - f) : 0));
                                     },
                                     m[i], S2[i]);
  }
  expect_close(best.elbo, sum - kl_divergence(best.collapsed[0].q), 1e-7, "elbo");
}

// At the thresholds that it finds, the derivatives of the sum and of the prior cancel.
TEST(OrdinalBound, BestThresholdsOfAPosteriorAreAMaximum) {
  const OrdinalProblem made(6, 60, 5, 2);
  Workers workers(1);
  const auto rows = rows_of_table(made.naive.X, made.targets, 5, unparametrized(), "taylor", workers, 0);
  const Frame frame = make_frame(kernel_of(made.naive), made.prior(), 0);
  const Posterior q = posterior_from(frame, Vector::Zero(5), Matrix::Identity(5, 5));
  const Prior best = with_best_thresholds(*rows, frame, q, 100);
  EXPECT_GT((best.thresholds - kThresholds).norm(), 0.1);
  Vector slopes;
  rows->expected_log(make_frame(frame.kernel, best, 0), q, slopes);
  Vector gradient = packed_slopes(best.thresholds, slopes);
  log_prior_of_gaps(best.thresholds, gradient);
  EXPECT_LT(gradient.norm(), 0.01);
}

}  // namespace
}  // namespace induce::testing
