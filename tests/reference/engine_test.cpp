// The engine against numbers from an independent implementation: engine_digits.json, three rounds of stage 1 from
// mu = 0, Sigma = I at fixed theta, without jitter. Its README is the "about" member of the file.
#include <gtest/gtest.h>

#include "likelihood/logistic.hpp"
#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/stored.hpp"

namespace induce::testing {
namespace {

using nlohmann::json;

void expect_reproduced(const naive::Problem& problem, const RowMatrix& X_test, const json& stored) {
  constexpr double tolerance = 1e-8;
  Engine engine(problem);
  engine.stage_one(stored["rule"], stored["rounds"]);
  expect_close(engine.sites.w, vector_of(stored["site_w"]), tolerance, "site_w");
  expect_close(engine.sites.t, vector_of(stored["site_t"]), tolerance, "site_t");
  expect_close(engine.sites.c, vector_of(stored["site_c"]), tolerance, "site_c");
  expect_close(engine.collapsed.F, stored["bound_at_these_sites"], tolerance, "bound");

  const Posterior& q = engine.collapsed.q;
  expect_close(natural_mean(engine.frame, q), vector_of(stored["mu"]), tolerance, "mu");
  expect_close(natural_covariance(engine.frame, q).diagonal(), vector_of(stored["Sigma_diag"]), tolerance,
               "Sigma_diag");
  expect_close(engine.elbo(), stored["elbo_of_this_q"], tolerance, "elbo");
  expect_close(engine.m, vector_of(stored["train_mean"]), tolerance, "train_mean");
  expect_close(engine.S2, vector_of(stored["train_variance"]), tolerance, "train_variance");

  Vector m, S2;
  Pass(X_test, problem.Z.rows(), engine.workers).marginals(engine.frame, q, m, S2);
  expect_close(m, vector_of(stored["test_mean"]), tolerance, "test_mean");
  expect_close(S2, vector_of(stored["test_variance"]), tolerance, "test_variance");
  const Vector probability = m.binaryExpr(S2, &expected_sigmoid);
  expect_close(probability, vector_of(stored["test_probability"]), tolerance, "test_probability");

  // The stored gradient is a central difference, accurate to 1e-8.
  const Gradient got = engine.fixed_site_gradient();
  const json& want = stored["gradient_of_that_bound"];
  const Index l = problem.lengthscales.size();
  expect_close(got.log_theta[0], want["log_signal_std"], 1e-7, "gradient in log_signal_std");
  expect_close(got.log_theta[1 + l], want["log_noise_std"], 1e-7, "gradient in log_noise_std");
  expect_close(got.log_theta.segment(1, l), vector_of(want["log_lengthscales"]), 1e-7,
               "gradient in log_lengthscales");
}

TEST(Engine, ReproducesEngineDigits) {
  const json reference = read_json(INDUCE_TESTS "/reference/engine_digits.json");
  ASSERT_EQ(reference["cases"].size(), 6u);
  for (const json& stored : reference["cases"]) {
    SCOPED_TRACE(stored["rule"].get<std::string>() +
                 (stored["ard"].get<bool>() ? " ard" : " one length-scale"));
    naive::Problem problem;
    problem.X = matrix_of(reference["X"]);
    problem.y = vector_of(reference["y"]);
    problem.Z = matrix_of(reference["Z"]);
    problem.signal_std = stored["signal_std"];
    problem.lengthscales = vector_of(stored["lengthscales"]);
    problem.noise_std = stored["noise_std"];
    expect_reproduced(problem, matrix_of(reference["X_test"]), stored);
  }
}

}  // namespace
}  // namespace induce::testing
