// Whatever the options, columns, classes and labels: results are valid, do not depend on threads, survive a file, and learn more
// rows. Thousands of random problems (how_many.hpp says how many, and how to repeat one).
//
// INDUCE_MODELS=FOLDER keeps every 16th model with rows and their predictions (python/tests/test_generated_models.py).
//
// Oracles: the axioms of probability, the definition of a lower bound, bitwise identity, the largest variance of induce/export.hpp.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include <induce/doubt.hpp>
#include <induce/export.hpp>
#include <induce/rank.hpp>
#include <induce/update.hpp>

#include "how_many.hpp"
#include "generated_problem.hpp"

namespace induce::testing {
namespace {

void expect_numbers(const std::vector<double>& values, const char* what) {
  for (const double value : values) EXPECT_TRUE(std::isfinite(value)) << what << ": " << value;
}

bool has_gap(const double* row, std::size_t d) {
  return std::any_of(row, row + d, [](double x) { return std::isnan(x); });
}

// The latent variance of a row with gaps is that of a mixture, and may be larger.
void expect_probabilities(const Model& model, TableView rows, const Prediction& got) {
  const PlainModel plain = plain_model(model);
  EXPECT_EQ(got.rows, rows.n);
  for (std::size_t i = 0; i < got.rows; ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < got.classes; ++c) {
      const double p = got.probability(i, c);
      EXPECT_TRUE(p >= 0 && p <= 1) << "row " << i << ", class " << c << ": " << p;
      sum += p;
    }
    EXPECT_NEAR(sum, 1, 1e-14 * static_cast<double>(got.classes)) << "row " << i;
    for (std::size_t c = 0; c < got.functions(); ++c) {
      const double mean = got.mean[i * got.functions() + c], variance = got.variance[i * got.functions() + c];
      const double scale = plain.functions[c].scale, most = scale * scale * plain.largest_variance;
      EXPECT_TRUE(std::isfinite(mean) && std::isfinite(variance)) << "row " << i;
      EXPECT_GE(variance, 0) << "row " << i;
      if (!has_gap(rows.row(i), rows.d)) {
        EXPECT_LE(variance, most * (1 + 1e-6)) << "row " << i;
      }
    }
  }
}

void expect_valid_report(const GeneratedProblem& problem, const Report& report) {
  expect_numbers({report.seconds, report.bound, report.elbo, report.sparsity_price, report.theta.jitter},
                 "report");
  for (const Parameter& parameter : report.theta.parameters)
    expect_numbers(parameter.values, parameter.name.c_str());
  expect_numbers(report.relevance, "relevance");
  EXPECT_TRUE(report.status == Status::converged || report.status == Status::budget) << report.message;
  EXPECT_LE(report.elbo, 1e-9);
  const double rounding = 1e-7 * (1 + std::abs(report.bound));
  EXPECT_LE(report.bound, report.elbo + rounding);
  EXPECT_GE(report.sparsity_price, -rounding);
  EXPECT_LE(report.iterations, problem.options.max_iter);
  for (std::size_t k = 1; k < report.history.size(); ++k) {
    const Iteration &now = report.history[k], &before = report.history[k - 1];
    if (now.stage != before.stage) continue;
    EXPECT_GE(now.bound, before.bound - 1e-9 * std::max(1.0, std::abs(before.bound))) << "iteration " << k;
  }
  for (const auto& metrics : {report.leave_one_out, report.cross_validation})
    if (metrics) expect_numbers({metrics->accuracy, metrics->nll, metrics->brier, metrics->ece}, "left out");
  for (const double threshold : report.set_thresholds) EXPECT_TRUE(threshold >= 0 && threshold <= 1 + 1e-12);
}

void expect_valid_explanation(const Explanation& explanation) {
  double sum = 0;
  for (const auto& [main, total] : explanation.importance)
    EXPECT_TRUE(main >= 0 && total >= main && std::isfinite(total)) << main << " of " << total;
  for (const TermShare& term : explanation.terms) sum += term.share;
  EXPECT_TRUE(explanation.terms.empty() || sum == 0 || std::abs(sum - 1) < 1e-9) << "shares: " << sum;
  const auto expect_band = [](const auto& lower, const auto& mean, const auto& upper) {
    for (std::size_t k = 0; k < mean.size(); ++k)
      EXPECT_TRUE(lower[k] <= mean[k] && mean[k] <= upper[k] && std::isfinite(upper[k] - lower[k]));
  };
  for (const Effect& effect : explanation.effects) {
    expect_band(effect.lower, effect.mean, effect.upper);
    expect_band(effect.missing_lower, effect.missing_mean, effect.missing_upper);
  }
  for (const PairEffect& pair : explanation.pairs) expect_band(pair.lower, pair.mean, pair.upper);
}

void expect_same(const Prediction& one, const Prediction& other, const char* what) {
  EXPECT_EQ(one.probabilities, other.probabilities) << what;
  EXPECT_EQ(one.mean, other.mean) << what;
  EXPECT_EQ(one.variance, other.variance) << what;
}

void expect_valid_model(const Model& model, TableView rows) {
  const Prediction got = model.predict(rows, 1);
  expect_probabilities(model, rows, got);
  expect_same(model.predict(rows, 2), got, "predict depends on the number of threads");
  const std::string bytes = model.to_bytes();
  const Model loaded = Model::from_bytes(bytes);
  expect_same(loaded.predict(rows, 1), got, "a loaded model predicts something else");
  EXPECT_TRUE(loaded.to_bytes() == bytes) << "a loaded model is saved as something else";
  const Doubt doubts = doubt(model, got);
  for (std::size_t k = 0; k < doubts.low.size(); ++k)
    EXPECT_TRUE(doubts.low[k] >= 0 && doubts.low[k] <= doubts.high[k] && doubts.high[k] <= 1)
        << "range " << k;
  for (std::size_t i = 0; i < doubts.noise.size(); ++i)
    EXPECT_TRUE(doubts.noise[i] >= 0 && doubts.knowledge[i] >= 0) << "doubt of row " << i;
  for (const double each : novelty(model, rows, 1)) EXPECT_TRUE(each >= 0 && each <= 1) << "novelty " << each;
  EXPECT_NE(c_header(model), "");
}

void expect_valid_ranking(const Model& model, TableView pool, std::uint64_t seed) {
  const RankOptions options{
      .rows = 1 + seed % 7, .random_share = seed % 2 ? 0.3 : 0, .seed = seed, .threads = 1};
  const std::vector<RankedRow> chosen = rank_rows(model, pool, options);
  RankOptions others = options;
  others.threads = 2;
  const std::vector<RankedRow> again = rank_rows(model, pool, others);
  ASSERT_EQ(chosen.size(), std::min(options.rows, pool.n));
  std::set<std::size_t> rows;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    EXPECT_TRUE(rows.insert(chosen[k].row).second && chosen[k].row < pool.n) << chosen[k].row;
    expect_numbers({chosen[k].gain, chosen[k].information, chosen[k].novelty}, "rank");
    EXPECT_GE(chosen[k].information, 0);
    EXPECT_TRUE(chosen[k].row == again[k].row && chosen[k].gain == again[k].gain) << "threads change ranks";
  }
}

void keep(const std::string& folder, const GeneratedProblem& problem, const Model& model, TableView rows) {
  const std::string name = folder + "/" + std::to_string(problem.seed);
  model.save(name + ".model", {{"problem", problem.text()}});
  const Prediction wanted = model.predict(rows, 1);
  const auto write = [](const std::string& path, const double* values, std::size_t count) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count * sizeof(double)));
  };
  write(name + ".rows", rows.x, rows.n * rows.d);
  write(name + ".probabilities", wanted.probabilities.data(), wanted.probabilities.size());
}

// Errors that say what such a table lacks.
bool is_expected(const GeneratedProblem& problem, const std::string& message) {
  const auto says = [&](const char* text) { return message.find(text) != std::string::npos; };
  const std::string& kernel = problem.options.kernel;
  return (kernel.starts_with("mains") && says("no column has two values in the rows of the first stage")) ||
         // Of a column that is named, in the rows that have trials.
         (!problem.trials.empty() && says("has one value only, so it has no term"));
}

TEST(Options, AnyGiveValidResults) {
  long fits = 0, refused = 0;
  const char* models = std::getenv("INDUCE_MODELS");
  const auto check = [&](std::uint64_t seed) {
    const GeneratedProblem problem = any_problem(seed);
    const GeneratedProblem more = ProblemGenerator(seed + 1).make_more(problem, 1 + seed % 50);
    SCOPED_TRACE(problem.text());
    const char* doing = "fit";
    try {
      const Fit result = problem.fit();
      ++fits;
      expect_valid_report(problem, result.report);
      doing = "predict";
      expect_valid_model(result.model, problem.view());
      expect_valid_model(result.model, more.view());
      if (result.model.explanation()) expect_valid_explanation(*result.model.explanation());
      if (seed % 4 == 0) {
        GeneratedProblem same = problem;
        same.options.threads = problem.options.threads == 1 ? 2 : 1;
        doing = "fit again";
        EXPECT_TRUE(same.fit().model.to_bytes() == result.model.to_bytes())
            << "the fit depends on the number of threads";
        ++fits;
      }
      doing = "update";
      const UpdateOptions options{.forget = seed % 3 == 0 ? 20.0 : 0.0, .grow = seed % 2 == 0, .threads = 1};
      const Update updated = update(result.model, more.view(), more.y, options);
      expect_numbers(
          {updated.report.nll, updated.report.expected_nll, updated.report.z, updated.report.fitted_nll},
          "update");
      expect_valid_model(updated.model, problem.view());
      if (seed % 4 == 1) {
        UpdateOptions others = options;
        others.threads = 2;
        EXPECT_TRUE(update(result.model, more.view(), more.y, others).model.to_bytes() ==
                    updated.model.to_bytes())
            << "the update depends on the number of threads";
      }
      doing = "rank";
      expect_valid_ranking(seed % 2 ? result.model : updated.model, more.view(), seed);
      if (models && seed % 16 == 0)
        keep(models, problem, seed % 32 ? result.model : updated.model, more.view());
    } catch (const std::exception& error) {
      const bool expected = is_expected(problem, error.what());
      refused += expected;
      if (!expected) ADD_FAILURE() << doing << " threw: " << error.what();
    }
    return !HasFailure();
  };
  each_seed(1, problems_or(60), check);
  for (const std::uint64_t once_failed : {647, 988, 1224}) check(once_failed);
  if (std::getenv("INDUCE_PROBLEMS")) std::printf("%ld fits, %ld refused\n", fits, refused);
}

}  // namespace
}  // namespace induce::testing
