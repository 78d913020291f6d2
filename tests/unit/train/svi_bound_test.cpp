// The true bound as a function of theta, mu and the factor R of Sigma. Oracles: the twin's ELBO of the same
// q, five-point differences, and the linearity of a sum over rows. (Values include the first level of jitter.)
#include "train/svi_bound.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/bridge.hpp"
#include "support/close.hpp"
#include "kernel/shape.hpp"
#include "support/engine.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

constexpr Index n = 25, m = 4, d = 2;

struct Flags {
  bool noise, mean, inputs;
};

// A problem, its bound and a point that is not an optimum.
struct Svi {
  Svi(unsigned seed, const std::string& kernel, const Flags& flags, bool ard = true) {
    problem = random_problem(seed, n, m, d);
    problem.kernel = kernel;
    problem.noise_std = flags.noise ? problem.noise_std + 0.1 : 0;
    if (!ard) problem.lengthscales.conservativeResize(1);
    layout = {.kernel = kernel_of(problem), .mean = flags.mean, .inputs = flags.inputs};
    point.prior = prior_of(problem);
    point.mu = random_matrix(seed + 1, m, 1);
    point.R = random_matrix(seed + 2, m, m).triangularView<Eigen::Lower>();
    point.R.diagonal() = point.R.diagonal().cwiseAbs().array() + 0.2;
    point.R(1, 1) *= -1;  // the sign of R's diagonal does not matter
    bound = std::make_unique<SviBound>(likelihood("logistic"), layout, point.prior);
    pass = std::make_unique<Pass>(problem.X, m, workers);
    x = bound->pack(point);
  }
  double value(const Vector& at, double weight = 1, Vector* gradient = nullptr) {
    return bound->value(*pass, Targets(problem.y), weight, at, gradient, nullptr);
  }
  double value(double weight = 1) { return value(x, weight); }

  Layout layout;
  naive::Problem problem;
  SviPoint point;
  std::unique_ptr<SviBound> bound;
  Workers workers{1};
  std::unique_ptr<Pass> pass;
  Vector x;
};

constexpr Flags everything{.noise = true, .mean = true, .inputs = true};

TEST(SviBound, MatchesTheTwinsElbo) {
  for (const std::string& kernel : example_shapes()) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      Svi svi(seed, kernel, everything, seed % 2 == 0);
      const double want = naive::elbo(svi.problem, svi.point.mu, svi.point.R * svi.point.R.transpose());
      expect_close(svi.value(), want, 1e-7, kernel);
    }
  }
}

TEST(SviBound, GradientInThetaMuAndFactor) {
  for (const std::string& kernel : example_shapes()) {
    for (int flags = 0; flags < 16; ++flags) {
      SCOPED_TRACE(kernel + ", flags " + std::to_string(flags));
      const Flags layout{.noise = (flags & 1) != 0, .mean = (flags & 2) != 0, .inputs = (flags & 4) != 0};
      Svi svi(static_cast<unsigned>(flags), kernel, layout, flags & 8);
      const double weight = 1.5;
      Vector got(svi.bound->size());
      const double with_gradient = svi.value(svi.x, weight, &got);
      expect_close(with_gradient, svi.value(weight), 1e-12, "value with and without gradient");
      const auto value = [&](const Vector& at) { return svi.value(at, weight); };
      expect_close(got, naive::central_difference(value, svi.x), 1e-6, "gradient");
    }
  }
}

// At a q that is not optimal, the sparse bound must be below its own collapsed optimum.
TEST(SviBound, IsHighestAtTheNewtonFixedPoint) {
  Svi svi(3, "se", everything);
  Engine engine(svi.problem, first_jitter);
  engine.stage_one("newton", 40);
  const Matrix Sigma = natural_covariance(engine.frame, engine.collapsed.q);
  svi.point.mu = natural_mean(engine.frame, engine.collapsed.q);
  svi.point.R = Eigen::LLT<Matrix>(Sigma).matrixL();
  const Vector best = svi.bound->pack(svi.point);
  Vector gradient(svi.bound->size());
  const double value = svi.value(best, 1, &gradient);
  expect_close(value, engine.elbo(), 1e-9, "elbo");
  EXPECT_GT(value, svi.value());
  const Index q_size = m + m * (m + 1) / 2;
  expect_close(gradient.tail(q_size), Vector::Zero(q_size), 1e-6, "derivative in q");
  // and by the envelope theorem the rest is the gradient of the profiled bound
  Vector theta(svi.layout.size(svi.point.prior));
  svi.layout.pack_gradient(engine.fixed_site_gradient(), theta);
  expect_close(gradient.head(theta.size()), theta, 1e-6, "derivative in theta");
}

// Minibatches that partition the rows average to the whole, in value and gradient.
TEST(SviBound, MinibatchesAreUnbiased) {
  Svi svi(7, "matern32", everything);
  const Index batch = 5;
  Vector want(svi.bound->size()), sum = Vector::Zero(want.size());
  const double whole = svi.value(svi.x, 1, &want);
  double total = 0;
  for (Index first = 0; first < n; first += batch) {
    const RowMatrix X = svi.problem.X.middleRows(first, batch);
    const Vector y = svi.problem.y.segment(first, batch);
    Pass pass(X, m, svi.workers);
    Vector gradient(want.size());
    total += svi.bound->value(pass, Targets(y), static_cast<double>(n) / batch, svi.x, &gradient, nullptr);
    sum += gradient;
  }
  expect_close(total / (n / batch), whole, 1e-11, "value");
  expect_close(sum / (n / batch), want, 1e-10, "gradient");
}

TEST(SviBound, PackAndUnpackRoundTrip) {
  const Svi svi(1, "se", everything);
  EXPECT_EQ(svi.bound->size(), svi.layout.size(svi.point.prior) + m + m * (m + 1) / 2);
  const SviPoint back = svi.bound->unpack(svi.x);
  EXPECT_TRUE(back.mu == svi.point.mu);
  EXPECT_TRUE(back.R == svi.point.R);
  EXPECT_TRUE(back.prior.Z == svi.point.prior.Z);
  expect_close(back.prior.theta, svi.point.prior.theta, 1e-14, "theta");
}

TEST(SviBound, ReturnsTheFittedPosterior) {
  Svi svi(2, "matern52", everything);
  Fitted fitted;
  svi.bound->value(*svi.pass, Targets(svi.problem.y), 1, svi.x, nullptr, &fitted);
  expect_close(natural_mean(fitted.frame, fitted.q[0]), svi.point.mu, 1e-9, "mu");
  expect_close_matrix(natural_covariance(fitted.frame, fitted.q[0]), svi.point.R * svi.point.R.transpose(),
                      1e-9, "Sigma");
}

// An undefined bound must reach the optimizer, not the user.
TEST(SviBound, IsMinusInfinityWhereUndefined) {
  Svi svi(2, "se", everything);
  Vector x = svi.x;
  x[x.size() - 1] = 0;  // R singular
  EXPECT_EQ(svi.value(x), -std::numeric_limits<double>::infinity());
  x = svi.x;
  x[0] = std::nan("");
  EXPECT_EQ(svi.value(x), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace induce::testing
