// With Z = X and no noise the fixed point of the Taylor rule is the Laplace approximation (erratum E2).
// Oracle: scikit-learn's GaussianProcessClassifier; laplace_digits.py wrote its numbers to laplace_digits.json.
#include <gtest/gtest.h>

#include "support/close.hpp"
#include "support/engine.hpp"
#include "support/stored.hpp"

namespace induce::testing {
namespace {

TEST(Engine, TaylorFixedPointIsTheLaplaceApproximationOfScikitLearn) {
  const nlohmann::json stored = read_json(INDUCE_TESTS "/reference/laplace_digits.json");
  ASSERT_FALSE(stored.is_null()) << "tests/reference/laplace_digits.json is missing";
  naive::Problem problem;
  problem.X = matrix_of(stored["X"]);
  problem.y = vector_of(stored["y"]);
  problem.Z = problem.X;
  problem.signal_std = stored["signal_std"];
  problem.lengthscales = Vector::Constant(1, stored["lengthscale"].get<double>());

  Engine engine(problem);
  engine.stage_one("taylor", 20);
  expect_close(engine.collapsed.F, stored["log_marginal_likelihood"], 1e-9, "log marginal likelihood");
  engine.pass.marginals(engine.frame, engine.collapsed.q, engine.m, engine.S2);
  expect_close(engine.m, vector_of(stored["mode"]), 1e-9, "mode");

  const RowMatrix X_test = matrix_of(stored["X_test"]);
  Vector m, S2;
  Pass(X_test, problem.Z.rows(), engine.workers).marginals(engine.frame, engine.collapsed.q, m, S2);
  expect_close(m, vector_of(stored["latent_mean"]), 1e-9, "latent_mean");
  expect_close(S2, vector_of(stored["latent_variance"]), 1e-9, "latent_variance");
}

}  // namespace
}  // namespace induce::testing
