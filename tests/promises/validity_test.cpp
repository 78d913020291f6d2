// Results are valid whatever the data: a fit ends with finite numbers, probabilities are probabilities, bounds are
// bounds, and the status says how it ended. Thousands of random problems (how_many.hpp says how many, and how to
// repeat one).
//
// Which bounds never fall within a stage, and why:
//   vi-jj, vi-jj-hybrid      refreshed sites and q are each optimal for the other; stage 2 keeps its best point
//   vi-jj-tight              likewise, by the tangent in core/tight_trace.hpp
//   vi-jj-full, vi-newton    the history records the best point so far
//   svi-lbfgs                the line search accepts only improvements
// vi-taylor maximises no bound and svi-adadelta sees minibatches: neither gives this guarantee.
//
// Oracles: the axioms of probability, the definition of a lower bound, bitwise identity where guaranteed.
#include <gtest/gtest.h>

#include "how_many.hpp"
#include "generated_problem.hpp"
#include "train/methods.hpp"

namespace induce::testing {
namespace {

bool never_falls(const MethodTraits& method) {
  return method.rule == "jj" || method.rule == "newton" || method.method == Method::svi_lbfgs;
}

// With the optimal q, the variance of a row is at most the prior variance.
bool has_optimal_q(const MethodTraits& method) { return !method.rule.empty(); }

void expect_finite(const std::vector<double>& values, const char* what) {
  for (const double value : values) EXPECT_TRUE(std::isfinite(value)) << what << ": " << value;
}

void expect_valid_report(const GeneratedProblem& problem, const MethodTraits& method, const Report& report) {
  expect_finite({report.seconds, report.bound, report.elbo, report.sparsity_price}, "report");
  const Theta& theta = report.theta;
  for (const Parameter& parameter : theta.parameters) expect_finite(parameter.values, parameter.name.c_str());
  expect_finite({theta.jitter}, "jitter");
  expect_finite(report.relevance, "relevance");
  for (const auto& [main, total] : report.importance)
    EXPECT_TRUE(main >= 0 && total >= main && std::isfinite(total));
  EXPECT_GE(report.m, 1u);
  EXPECT_LE(report.m, problem.y.size());
  EXPECT_LE(report.rows, problem.y.size());
  if (report.leave_one_out) {
    const Metrics& loo = *report.leave_one_out;
    expect_finite({loo.accuracy, loo.nll, loo.brier, loo.ece}, "leave one out");
  }
  EXPECT_LE(report.elbo, 1e-9);  // the integrals are accurate to 3e-10 per row
  const double rounding = 1e-7 * (1 + std::abs(report.bound));
  if ((method.rule == "jj" && !method.tight_trace) || method.rule == "newton") {
    EXPECT_LE(report.bound, report.elbo + rounding);
  }
  EXPECT_GE(report.sparsity_price, -rounding);
}

void expect_valid_status(const GeneratedProblem& problem, const MethodTraits& method, const Report& report) {
  const int limit = problem.options.max_iter ? problem.options.max_iter : method.max_iter;
  EXPECT_EQ(report.history.size(), static_cast<std::size_t>(report.iterations));
  EXPECT_LE(report.iterations, limit);
  EXPECT_NE(report.message, "");
  EXPECT_NE(report.status, Status::interrupted);
  if (report.status == Status::budget) {  // max_iter is the only budget here
    EXPECT_TRUE(report.iterations == limit ||
                report.message.find("too many evaluations") != std::string::npos)
        << report.message;
  }
  if (report.status == Status::converged && method.analytic & Variables::xi &&
      method.optimizer == Optimizer::lbfgsb && method.method != Method::vi_newton) {
    EXPECT_GE(report.iterations, 3);  // convergence takes two quiet iterations after the first
  }
}

void expect_valid_history(const MethodTraits& method, const Report& report, bool traced) {
  for (std::size_t k = 0; k < report.history.size(); ++k) {
    const Iteration& now = report.history[k];
    EXPECT_TRUE(std::isfinite(now.bound)) << "iteration " << k << ": " << now.bound;
    if (traced) {
      EXPECT_LE(now.elbo, 1e-9) << "iteration " << k;
    }
    if (k == 0 || !never_falls(method) || report.history[k - 1].stage != now.stage) continue;
    const double before = report.history[k - 1].bound;
    EXPECT_GE(now.bound, before - 1e-9 * std::max(1.0, std::abs(before))) << "iteration " << k;
  }
}

void expect_probabilities(const Prediction& prediction, double most_variance) {
  for (std::size_t i = 0; i < prediction.rows; ++i) {
    const double p = prediction.probability(i, 1);
    EXPECT_TRUE(p >= 0 && p <= 1) << "row " << i << ": " << p;
    EXPECT_EQ(prediction.probability(i, 0) + p, 1) << "row " << i;
    EXPECT_TRUE(std::isfinite(prediction.mean[i])) << "row " << i << ": " << prediction.mean[i];
    EXPECT_GE(prediction.variance[i], 0) << "row " << i;
    EXPECT_LE(prediction.variance[i], most_variance) << "row " << i;
  }
}

// Rows far away from any training data.
std::vector<double> far_rows(std::size_t d) {
  std::vector<double> x;
  for (const double value : {0.0, 1.0, -1e10, 1e100, -1e200, 1.7e308})
    for (std::size_t f = 0; f < d; ++f) x.push_back(value);
  return x;
}

void expect_valid_model(const GeneratedProblem& problem, const MethodTraits& method, const Model& model) {
  const Theta& theta = model.theta();
  const double signal = theta.scalar("signal_std"), noise = theta.scalar("noise_std");
  const double prior_variance = signal * signal + noise * noise;
  const double most = has_optimal_q(method) ? prior_variance * (1 + 1e-6) : 1e300;
  const Prediction at_rows = model.predict(problem.view());
  expect_probabilities(at_rows, most);
  const std::vector<double> far = far_rows(problem.d);
  expect_probabilities(model.predict({far.data(), far.size() / problem.d, problem.d}), most);
  expect_finite(model.inducing_inputs(), "inducing inputs");

  const Prediction again = Model::from_bytes(model.to_bytes()).predict(problem.view());
  EXPECT_EQ(again.probabilities, at_rows.probabilities);
  EXPECT_EQ(again.variance, at_rows.variance);
}

class EveryMethod : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, ResultsAreValid) {
  const MethodTraits& method = traits_of(method_from_name(GetParam()));
  const auto check = [&](std::uint64_t seed) {
    const GeneratedProblem problem = generated_problem(seed, method.method);
    SCOPED_TRACE(problem.text());
    try {
      const Fit result = problem.fit();
      expect_valid_report(problem, method, result.report);
      expect_valid_status(problem, method, result.report);
      expect_valid_history(method, result.report, problem.options.trace_elbo);
      expect_valid_model(problem, method, result.model);
      if (seed % 8 == 0) {
        GeneratedProblem same = problem;
        same.options.threads = 5 - problem.options.threads;
        EXPECT_EQ(same.fit().report.elbo, result.report.elbo)
            << "the result depends on the number of threads";
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << "threw: " << error.what();
    }
    return !HasFailure();
  };
  each_seed(1, problems_or(60), check);
  for (const std::uint64_t once_failed : {112, 916, 4785}) check(once_failed);
}

std::vector<std::string> names_of_methods() {
  std::vector<std::string> names;
  for (const MethodTraits& method : methods) names.emplace_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Validity, EveryMethod, ::testing::ValuesIn(names_of_methods()),
                         [](const auto& each) {
                           std::string name = each.param;
                           for (char& letter : name) letter = letter == '-' ? '_' : letter;
                           return name;
                         });

}  // namespace
}  // namespace induce::testing
