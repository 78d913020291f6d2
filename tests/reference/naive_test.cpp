// Tests of the test oracles themselves: the textbook twin (support/naive.hpp) and the brute-force evidence
// (support/evidence.hpp). Their own oracles are the stored numbers in engine_digits.json (an independent
// implementation) and laplace_digits.json (scikit-learn), and identities: all label patterns have total
// probability one, the collapsed bound is the maximum of the uncollapsed one, and
// bound <= ELBO <= log evidence. For probit, closed forms: E Phi(f), and the orthant probabilities of two and
// three normal variables.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "support/close.hpp"
#include "support/evidence.hpp"
#include "support/naive.hpp"
#include "support/random_problem.hpp"
#include "support/stored.hpp"

namespace induce::naive {
namespace {

using nlohmann::json;
using testing::expect_close;
using testing::matrix_of;
using testing::random_problem;
using testing::read_json;
using testing::vector_of;

// ---------------------------------------------------------------------------------------- stored numbers

TEST(NaiveTwin, ReproducesEngineDigits) {
  const json reference = read_json(INDUCE_TESTS "/reference/engine_digits.json");
  const RowMatrix X_test = matrix_of(reference["X_test"]);
  ASSERT_EQ(reference["cases"].size(), 6u);
  for (const json& stored : reference["cases"]) {
    SCOPED_TRACE(stored["rule"].get<std::string>() +
                 (stored["ard"].get<bool>() ? " ard" : " one length-scale"));
    Problem problem;
    problem.X = matrix_of(reference["X"]);
    problem.y = vector_of(reference["y"]);
    problem.Z = matrix_of(reference["Z"]);
    problem.signal_std = stored["signal_std"];
    problem.lengthscales = vector_of(stored["lengthscales"]);
    problem.noise_std = stored["noise_std"];

    const auto [sites, q] = stage_one(problem, stored["rule"], stored["rounds"]);
    expect_close(sites.w, vector_of(stored["site_w"]), 1e-8, "site_w");
    expect_close(sites.t, vector_of(stored["site_t"]), 1e-8, "site_t");
    expect_close(sites.c, vector_of(stored["site_c"]), 1e-8, "site_c");
    expect_close(collapsed_bound(problem, sites), stored["bound_at_these_sites"], 1e-8, "bound");
    expect_close(q.mu, vector_of(stored["mu"]), 1e-8, "mu");
    expect_close(q.Sigma.diagonal(), vector_of(stored["Sigma_diag"]), 1e-8, "Sigma_diag");
    expect_close(elbo(problem, q.mu, q.Sigma), stored["elbo_of_this_q"], 1e-8, "elbo");

    const Marginals train = marginals(problem, q.mu, q.Sigma);
    expect_close(train.m, vector_of(stored["train_mean"]), 1e-8, "train_mean");
    expect_close(train.S2, vector_of(stored["train_variance"]), 1e-8, "train_variance");
    const Marginals test = marginals(problem, q.mu, q.Sigma, X_test);
    expect_close(test.m, vector_of(stored["test_mean"]), 1e-8, "test_mean");
    expect_close(test.S2, vector_of(stored["test_variance"]), 1e-8, "test_variance");
    const Vector probability =
        test.m.binaryExpr(test.S2, [](double mean, double var) { return predictive_probability(mean, var); });
    expect_close(probability, vector_of(stored["test_probability"]), 1e-8, "test_probability");

    // theta = log (signal_std, noise_std, lengthscales), sites fixed
    Vector theta(2 + problem.lengthscales.size());
    theta << std::log(problem.signal_std), std::log(problem.noise_std),
        problem.lengthscales.array().log().matrix();
    const auto bound_at = [&problem, &fixed = sites](const Vector& log_theta) {
      Problem moved = problem;
      moved.signal_std = std::exp(log_theta(0));
      moved.noise_std = std::exp(log_theta(1));
      moved.lengthscales = log_theta.tail(log_theta.size() - 2).array().exp();
      return collapsed_bound(moved, fixed);
    };
    const json& gradient = stored["gradient_of_that_bound"];
    Vector want(theta.size());
    want << gradient["log_signal_std"].get<double>(), gradient["log_noise_std"].get<double>(),
        vector_of(gradient["log_lengthscales"]);
    expect_close(central_difference(bound_at, theta), want, 1e-6, "gradient");
  }
}

// With Z = X and no noise the fixed point of the Taylor rule is the Laplace approximation (erratum E2).
TEST(NaiveTwin, TaylorFixedPointIsTheLaplaceApproximationOfScikitLearn) {
  const json stored = read_json(INDUCE_TESTS "/reference/laplace_digits.json");
  ASSERT_FALSE(stored.is_null()) << "tests/reference/laplace_digits.json is missing";
  Problem problem;
  problem.X = matrix_of(stored["X"]);
  problem.y = vector_of(stored["y"]);
  problem.Z = problem.X;
  problem.signal_std = stored["signal_std"];
  problem.lengthscales = Vector::Constant(1, stored["lengthscale"].get<double>());

  const auto [sites, q] = stage_one(problem, "taylor", 20);
  expect_close(marginals(problem, q.mu, q.Sigma).m, vector_of(stored["mode"]), 1e-10, "mode");
  expect_close(collapsed_bound(problem, sites), stored["log_marginal_likelihood"], 1e-10,
               "log marginal likelihood");
  const Marginals test = marginals(problem, q.mu, q.Sigma, matrix_of(stored["X_test"]));
  expect_close(test.m, vector_of(stored["latent_mean"]), 1e-10, "latent_mean");
  expect_close(test.S2, vector_of(stored["latent_variance"]), 1e-10, "latent_variance");
}

// ---------------------------------------------------------------------------------------------- identities

TEST(NaiveTwin, MaternOfHalfIntegerOrderMatchesTheClosedForm) {
  for (const double r : {0.0, 1e-3, 0.2, 1.0, 3.7}) {
    EXPECT_NEAR(correlation("matern:0.5", r), correlation("matern12", r), 1e-12);
    EXPECT_NEAR(correlation("matern:1.5", r), correlation("matern32", r), 1e-12);
    EXPECT_NEAR(correlation("matern:2.5", r), correlation("matern52", r), 1e-12);
  }
}

TEST(NaiveTwin, SitesTouchTheLogLikelihoodWhereTheyShould) {
  for (const double y_i : {-1.0, 1.0}) {
    for (const double xi_i : {1e-5, 9e-4, 1.1e-3, 0.7, 4.0}) {
      const Vector y = Vector::Constant(1, y_i), xi = Vector::Constant(1, xi_i);
      const auto site = [](const Sites& s, double f) { return s.c(0) + s.t(0) * f - s.w(0) * f * f / 2; };
      const auto log_p = [y_i](double f) { return log_sigmoid(y_i * f); };

      const Sites jj = jj_sites(y, xi);
      EXPECT_NEAR(site(jj, xi_i), log_p(xi_i), 1e-12);
      EXPECT_NEAR(site(jj, -xi_i), log_p(-xi_i), 1e-12);
      for (double f = -8; f <= 8; f += 0.25) EXPECT_LE(site(jj, f), log_p(f) + 1e-12);

      const Sites taylor = taylor_sites(y, xi);
      EXPECT_NEAR(site(taylor, xi_i), log_p(xi_i), 1e-12);
      EXPECT_NEAR(taylor.t(0) - taylor.w(0) * xi_i, central_difference(log_p, xi_i), 1e-10);

      // Newton sites: E s = E l, and E l', E l'' / 2 are the derivatives of E l with respect to mean and variance.
      const double S2 = 1.7;
      const auto E_log_p = [&](double mean, double var) { return gaussian_expectation(log_p, mean, var); };
      const Sites newton = newton_sites(y, xi, Vector::Constant(1, S2));
      EXPECT_NEAR(site(newton, xi_i) - newton.w(0) * S2 / 2, E_log_p(xi_i, S2), 1e-12);
      EXPECT_NEAR(newton.t(0) - newton.w(0) * xi_i,
                  central_difference([&](double mean) { return E_log_p(mean, S2); }, xi_i), 1e-10);
      EXPECT_NEAR(-newton.w(0) / 2, central_difference([&](double var) { return E_log_p(xi_i, var); }, S2),
                  1e-10);

      // Taylor sites are the limit of Newton sites as the variance vanishes
      const Sites narrow = newton_sites(y, xi, Vector::Zero(1));
      EXPECT_NEAR(narrow.w(0), taylor.w(0), 1e-12);
      EXPECT_NEAR(narrow.t(0), taylor.t(0), 1e-12);
      EXPECT_NEAR(narrow.c(0), taylor.c(0), 1e-12);
    }
  }
}

TEST(NaiveTwin, ProbitLikelihoodIsConsistentAndHasItsLimits) {
  const Likelihood& p = likelihood_named("probit");
  for (double t = -60; t <= 12; t += 0.19) {
    const double scale = 1 + t * t;
    EXPECT_NEAR(central_difference(p.l, t), p.dl(t), 1e-11 * scale) << t;
    EXPECT_NEAR(central_difference(p.dl, t), p.ddl(t), 1e-11 * scale) << t;
    EXPECT_NEAR(p.P(t) + p.P(-t), 1, 1e-15) << t;
    if (t > -37) {
      EXPECT_NEAR(p.l(t), std::log(p.P(t)), 1e-14 * scale) << t;
    }
  }
  for (const auto function : {p.l, p.dl, p.ddl}) {  // no jump where formulas meet
    EXPECT_NEAR(function(-5 - 1e-13), function(-5 + 1e-13), 5e-12);
  }
  EXPECT_NEAR(p.ddl(-1e4), -1 + 1e-8, 1e-15);  // -1 + 1/t^2 - 6/t^4 + ...
  EXPECT_THROW(likelihood_named("cauchit"), std::invalid_argument);
}

TEST(NaiveTwin, ProbitPredictiveProbabilityHasItsClosedForm) {
  for (const double mean : {-7.0, -0.4, 0.0, 2.0}) {
    for (const double var : {0.0, 0.1, 1.0, 25.0, 900.0}) {
      EXPECT_NEAR(predictive_probability(mean, var, "probit"), normal_cdf(mean / std::sqrt(1 + var)), 1e-13);
    }
  }
}

// The oracles are the definitions: values, central differences of E l in the mean and in the variance.
TEST(NaiveTwin, ProbitSitesTouchTheLogLikelihoodWhereTheyShould) {
  for (const double y_i : {-1.0, 1.0}) {
    for (const double m_i : {-9.0, -1.3, 1e-5, 0.7, 4.0, 11.0}) {
      const Vector y = Vector::Constant(1, y_i), m = Vector::Constant(1, m_i);
      const auto log_p = [y_i](double f) { return log_normal_cdf(y_i * f); };
      const auto E_log_p = [&](double mean, double var) { return gaussian_expectation(log_p, mean, var); };
      for (const double S2 : {0.3, 1.7, 30.0}) {
        const Sites s = newton_sites(y, m, Vector::Constant(1, S2), "probit");
        const double scale = 1 - E_log_p(m_i, S2);
        EXPECT_NEAR(s.c(0) + s.t(0) * m_i - s.w(0) * (m_i * m_i + S2) / 2, E_log_p(m_i, S2), 1e-13 * scale);
        EXPECT_NEAR(s.t(0) - s.w(0) * m_i,
                    central_difference([&](double mean) { return E_log_p(mean, S2); }, m_i), 1e-11 * scale);
        EXPECT_NEAR(-s.w(0) / 2, central_difference([&](double var) { return E_log_p(m_i, var); }, S2),
                    1e-11 * scale);
        EXPECT_TRUE(s.w(0) >= 0 && s.w(0) <= 1);
      }

      // Taylor sites touch at xi = m, and are the limit of Newton sites as the variance vanishes
      const Sites taylor = taylor_sites(y, m, "probit");
      const double scale = 1 + m_i * m_i;
      EXPECT_NEAR(taylor.c(0) + taylor.t(0) * m_i - taylor.w(0) * m_i * m_i / 2, log_p(m_i), 1e-13 * scale);
      EXPECT_NEAR(taylor.t(0) - taylor.w(0) * m_i, central_difference(log_p, m_i), 1e-11 * scale);
      const Sites narrow = newton_sites(y, m, Vector::Zero(1), "probit");
      EXPECT_NEAR(narrow.w(0), taylor.w(0), 1e-12 * scale);
      EXPECT_NEAR(narrow.t(0), taylor.t(0), 1e-12 * scale);
      EXPECT_NEAR(narrow.c(0), taylor.c(0), 1e-12 * scale);
      EXPECT_THROW(refresh_sites("jj", y, {m, m}, "probit"), std::invalid_argument);
    }
  }
}

TEST(NaiveTwin, CollapsedBoundIsTheMaximumOfTheUncollapsedOne) {
  for (const std::string rule : {"jj", "taylor", "newton"}) {
    for (const std::string kernel : {"se", "matern12", "matern32", "matern52", "matern:0.8"}) {
      SCOPED_TRACE(rule + " " + kernel);
      Problem problem = random_problem(11, 20, 4, 2);
      problem.kernel = kernel;
      const auto [sites, q] = stage_one(problem, rule, 2);
      const double bound = collapsed_bound(problem, sites);
      EXPECT_NEAR(uncollapsed_bound(problem, sites, q.mu, q.Sigma), bound, 1e-9);
      for (const double change : {-1e-2, 1e-2}) {
        EXPECT_LT(uncollapsed_bound(problem, sites, q.mu.array() + change, q.Sigma), bound);
        EXPECT_LT(uncollapsed_bound(problem, sites, q.mu, (1 + change) * q.Sigma), bound);
      }
    }
  }
}

TEST(Evidence, OneRowIsThePredictiveProbability) {
  const Problem problem = random_problem(3, 1, 1, 2);
  const double want = predictive_probability(problem.y(0) * problem.mean, problem.k_diag()(0));
  EXPECT_NEAR(log_evidence(problem), std::log(want), 1e-12);
}

TEST(Evidence, AllLabelPatternsHaveTotalProbabilityOne) {
  for (const Index n : {1, 2, 3}) {
    for (const double signal_std : {0.2, 1.0, 2.5}) {
      Problem problem = random_problem(5, n, 1, 2);
      problem.signal_std = signal_std;
      double total = 0;
      for (int pattern = 0; pattern < (1 << n); ++pattern) {
        for (Index i = 0; i < n; ++i) problem.y(i) = (pattern >> i) & 1 ? 1 : -1;
        total += std::exp(log_evidence(problem));
      }
      EXPECT_NEAR(total, 1, 1e-12) << "n = " << n << ", signal_std = " << signal_std;
    }
  }
}

// Far-apart rows are independent; rows at the same place without noise share one f.
TEST(Evidence, IndependentAndEqualRows) {
  Problem problem = random_problem(8, 3, 1, 1);
  problem.X << -100, 0, 100;
  double independent = 0;
  for (Index i = 0; i < 3; ++i) {
    independent += std::log(predictive_probability(problem.y(i) * problem.mean, problem.k_diag()(0)));
  }
  EXPECT_NEAR(log_evidence(problem), independent, 1e-10);

  problem.X.setZero();
  problem.y << 1, -1, 1;
  problem.noise_std = 0;
  const auto likelihood = [](double f) { return sigmoid(f) * sigmoid(-f) * sigmoid(f); };
  const double shared = gaussian_expectation(likelihood, problem.mean, problem.k_diag()(0));
  EXPECT_NEAR(log_evidence(problem), std::log(shared), 1e-10);
}

// The JJ bound is below the ELBO of its q, and the ELBO of any q is below the log evidence.
TEST(Evidence, BoundsAreOrdered) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Problem problem = random_problem(seed, 3, 2, 2);
    const double evidence = log_evidence(problem);
    for (const std::string rule : {"jj", "taylor", "newton"}) {
      SCOPED_TRACE(rule + ", seed " + std::to_string(seed));
      for (const int rounds : {1, 5}) {
        const auto [sites, q] = stage_one(problem, rule, rounds);
        const double true_bound = elbo(problem, q.mu, q.Sigma);
        if (rule == "jj") {
          EXPECT_LE(collapsed_bound(problem, sites), true_bound + 1e-10);
        }
        EXPECT_LE(true_bound, evidence + 1e-10);
      }
    }
  }
}

// y_i (f_i + standard normal noise) > 0 for all i is an event about normal variables with correlations
// r_ij = y_i y_j k_ij / (1 + k); without a mean its probability is a closed form.
TEST(Evidence, ProbitEvidenceIsAnOrthantProbability) {
  for (const double signal_std : {0.3, 1.0, 2.0}) {
    for (const Index n : {1, 2, 3}) {
      Problem problem = random_problem(7, n, 1, 2);
      problem.likelihood = "probit";
      problem.signal_std = signal_std;
      problem.mean = 0;
      const Matrix K = problem.K_nn();
      double angles = 0;
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < i; ++j)
          angles += std::asin(problem.y(i) * problem.y(j) * K(i, j) / (1 + K(0, 0)));
      }
      const double want = n == 1   ? 0.5
                          : n == 2 ? 0.25 + angles / (2 * std::numbers::pi)
                                   : 0.125 + angles / (4 * std::numbers::pi);
      EXPECT_NEAR(std::exp(log_evidence(problem)), want, 1e-12) << "n = " << n << ", " << signal_std;
    }
  }
}

TEST(Evidence, ProbitOneRowIsThePredictiveProbability) {
  Problem problem = random_problem(3, 1, 1, 2);
  problem.likelihood = "probit";
  const double z = problem.y(0) * problem.mean / std::sqrt(1 + problem.k_diag()(0));
  EXPECT_NEAR(log_evidence(problem), log_normal_cdf(z), 1e-12);
}

TEST(Evidence, ProbitElboIsBelowTheEvidenceAndCollapsedBoundIsItsMaximum) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    Problem problem = random_problem(seed, 3, 2, 2);
    problem.likelihood = "probit";
    const double evidence = log_evidence(problem);
    for (const std::string rule : {"taylor", "newton"}) {
      SCOPED_TRACE(rule + ", seed " + std::to_string(seed));
      const auto [sites, q] = stage_one(problem, rule, 30);
      EXPECT_LE(elbo(problem, q.mu, q.Sigma), evidence + 1e-10);
      EXPECT_NEAR(uncollapsed_bound(problem, sites, q.mu, q.Sigma), collapsed_bound(problem, sites), 1e-9);
      if (rule == "newton") {  // at its fixed point the collapsed bound is the ELBO, which q maximises
        EXPECT_NEAR(elbo(problem, q.mu, q.Sigma), collapsed_bound(problem, sites), 1e-8);
        for (const double change : {-1e-2, 1e-2}) {
          EXPECT_LT(elbo(problem, q.mu.array() + change, q.Sigma), elbo(problem, q.mu, q.Sigma));
          EXPECT_LT(elbo(problem, q.mu, (1 + change) * q.Sigma), elbo(problem, q.mu, q.Sigma));
        }
      }
    }
  }
}

// With Z = X and no noise nothing is lost but the Gaussian shape of q, so the Newton rule comes close to the
// evidence.
TEST(Evidence, NewtonIsNearlyTightWithoutSparsity) {
  for (const std::string likelihood : {"logistic", "probit"}) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      Problem problem = random_problem(seed, 3, 3, 2);
      problem.Z = problem.X;
      problem.noise_std = 0;
      problem.likelihood = likelihood;
      const auto [sites, q] = stage_one(problem, "newton", 30);
      const double gap = log_evidence(problem) - elbo(problem, q.mu, q.Sigma);
      EXPECT_GE(gap, 0) << likelihood << ", seed " << seed;
      EXPECT_LE(gap, 0.05) << likelihood << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace induce::naive
