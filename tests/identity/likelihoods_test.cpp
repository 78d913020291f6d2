// The bound under every likelihood that the Newton and Taylor rules support. Oracles: the twin's ELBO and sites, the log
// evidence by brute force, central differences, Newton's method on the posterior of f.
#include <gtest/gtest.h>

#include "support/bridge.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/evidence.hpp"
#include "support/random_problem.hpp"
#include "support/site_rows.hpp"
#include "train/profiled_bound.hpp"
#include "train/row_sums.hpp"
#include "train/svi_bound.hpp"

namespace induce::testing {
namespace {

class EveryLikelihood : public ::testing::TestWithParam<std::string> {
 protected:
  naive::Problem problem(unsigned seed, Index n, Index m, Index d) const {
    naive::Problem made = random_problem(seed, n, m, d);
    made.likelihood = GetParam();
    return made;
  }
};

TEST_P(EveryLikelihood, SitesAreTheTwins) {
  const Index n = 200;
  const Vector y = random_matrix(1, n, 1).unaryExpr([](double f) { return f > 0 ? 1.0 : -1.0; });
  const Vector m = 4 * random_matrix(2, n, 1), S2 = (2 * random_matrix(3, n, 1)).array().exp();
  for (const std::string rule : {"newton", "taylor"}) {
    Sites got(n);
    make_site_rule(rule, likelihood(GetParam()))
        ->refresh(y.data(), m.data(), S2.data(), n, got.w.data(), got.t.data(), got.c.data());
    const naive::Sites want = naive::refresh_sites(rule, y, {m, S2}, GetParam());
    expect_close(got.w, want.w, 1e-8, rule + " w");
    expect_close(got.t, want.t, 1e-8, rule + " t");
    expect_close(got.c, want.c, 1e-8, rule + " c");
  }
}

// With Z = X and no noise. The mode f maximises l(f) - f'K^-1 f/2; the variance is (K^-1 + W)^-1, W = -l''(f), and the log
// evidence is that of the Gaussian at the mode, l(f) - f'K^-1 f/2 - log det(I + K W)/2.
TEST_P(EveryLikelihood, TaylorWithInputsAtTheRowsIsTheLaplaceApproximation) {
  naive::Problem made = problem(7, 20, 20, 2);
  made.noise_std = 0;
  made.mean = 0;
  made.Z = made.X;
  const Matrix K = made.K_mm(), K_inverse = K.inverse();
  Vector f = Vector::Zero(20), l(20), slope(20), W(20);
  const naive::Likelihood& p = naive::likelihood_named(GetParam());
  const auto differentiate = [&] {
    for (Index i = 0; i < f.size(); ++i) {
      l(i) = p.l(made.y(i) * f(i));
      slope(i) = made.y(i) * p.dl(made.y(i) * f(i));
      W(i) = -p.ddl(made.y(i) * f(i));
    }
  };
  for (int step = 0; step < 50; ++step) {
    differentiate();
    f = (K_inverse + Matrix(W.asDiagonal())).inverse() * (W.asDiagonal() * f + slope);
  }
  differentiate();
  Engine engine(made);
  engine.stage_one("taylor", 50);
  engine.pass.marginals(engine.frame, engine.collapsed.q, engine.m, engine.S2);
  expect_close(engine.m, f, 1e-7, "mode");
  const Matrix S = (K_inverse + Matrix(W.asDiagonal())).inverse();
  expect_close(engine.S2, Vector(S.diagonal()), 1e-7, "variance");
  const Matrix B = Matrix::Identity(20, 20) + K * W.asDiagonal();
  expect_close(engine.bound(), l.sum() - f.dot(K_inverse * f) / 2 - std::log(B.determinant()) / 2, 1e-7,
               "log evidence");
}

TEST_P(EveryLikelihood, BoundEqualsTheTwinsAtTheFixedPoint) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const naive::Problem made = problem(seed, 25, 5, 2);
    Engine engine(made);
    engine.stage_one("newton", 40);
    const auto [mu, Sigma] = twin_of(engine.frame, engine.collapsed.q);
    expect_close(engine.elbo(), naive::elbo(made, mu, Sigma), 1e-8, "elbo");
    expect_close(engine.bound(), engine.elbo(), 1e-8, "F is the bound at the fixed point");
  }
}

TEST_P(EveryLikelihood, BoundStaysBelowTheEvidenceAndReachesItNearly) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    naive::Problem made = problem(seed, 3, 3, 1);
    made.noise_std = 0;
    made.Z = made.X;
    Engine engine(made);
    engine.stage_one("newton", 40);
    const double evidence = naive::log_evidence(made);
    EXPECT_LT(engine.elbo(), evidence) << seed;
    EXPECT_NEAR(engine.elbo(), evidence, 0.05) << seed;
  }
}

TEST_P(EveryLikelihood, ProfiledGradientIsACentralDifference) {
  const naive::Problem made = problem(4, 40, 6, 3);
  const Prior prior = prior_of(made);
  const Layout layout{.kernel = kernel_of(made), .mean = true, .inputs = true};
  const Targets targets(made.y);
  Workers workers(1);
  const Likelihood& of_test = likelihood(GetParam());
  ProfiledBound bound(rows_of_table(made.X, targets, 6, of_test, "newton", workers, 0), of_test, layout,
                      workers);
  const auto value = [&](const Vector& x, Vector& gradient) {
    bound.start(prior);
    double last = 0;
    for (int call = 0; call < 6; ++call) last = bound(x, gradient);
    return last;
  };
  const Vector x = layout.pack(prior);
  Vector gradient(x.size()), unused(x.size());
  value(x, gradient);
  expect_close(gradient,
               naive::central_difference([&](const Vector& at) { return value(at, unused); }, x, 1e-3), 2e-5,
               "gradient");
}

TEST_P(EveryLikelihood, StochasticBoundAndItsGradient) {
  const naive::Problem made = problem(5, 25, 4, 2);
  const Layout layout{.kernel = kernel_of(made), .mean = true, .inputs = true};
  const SviBound bound(likelihood(GetParam()), layout, prior_of(made));
  Workers workers(1);
  Pass pass(made.X, 4, workers);
  const SviPoint point{prior_of(made), random_matrix(6, 4, 1), Matrix::Identity(4, 4) * 0.7};
  const Vector x = bound.pack(point);
  Vector gradient(x.size());
  const double value = bound.value(pass, Targets(made.y), 1, x, &gradient, nullptr);
  expect_close(value, naive::elbo(made, point.mu, point.R * point.R.transpose()), 1e-7, "value");
  const auto of = [&](const Vector& at) {
    return bound.value(pass, Targets(made.y), 1, at, nullptr, nullptr);
  };
  expect_close(gradient, naive::central_difference(of, x), 1e-6, "gradient");
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const BinaryLikelihood* each : binary_likelihoods()) all.emplace_back(each->name());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryLikelihood, ::testing::ValuesIn(names()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace induce::testing
