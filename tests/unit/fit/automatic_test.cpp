// The default method with default options: difficult data, and its guarantees about rows and weights. Oracles: the
// process that generated the data, and bitwise identity where guaranteed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <induce/fit.hpp>

#include "linalg/random.hpp"

namespace induce::testing {
namespace {

struct WeightedTable {
  std::vector<double> x;
  std::vector<int> y;
  std::size_t d;
  std::vector<double> weights = {};
  TableView view() const { return {x.data(), y.size(), d}; }
};

WeightedTable random_table(std::size_t n, std::size_t d, std::uint64_t seed = 1) {
  Random random(seed);
  WeightedTable made{std::vector<double>(n * d), std::vector<int>(n), d};
  for (double& x : made.x) x = random.normal();
  for (int& y : made.y) y = random.uniform() < 0.5;
  return made;
}

Fit automatic(const WeightedTable& made, Options options = {}) {
  options.threads = 2;
  return fit(made.view(), made.y, options, made.weights);
}

double base_rate_nll(const std::vector<int>& y) {
  const double p = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  return -p * std::log(p) - (1 - p) * std::log(1 - p);
}

// Expects a fit that succeeds with finite numbers, and returns it for further checks.
Fit ends_well(const WeightedTable& made) {
  Fit result = automatic(made);
  const Report& report = result.report;
  EXPECT_TRUE(report.status == Status::converged || report.status == Status::budget) << report.message;
  EXPECT_TRUE(std::isfinite(report.elbo) && std::isfinite(report.theta.scalar("signal_std")));
  for (const double l : report.theta.values("lengthscales")) EXPECT_TRUE(std::isfinite(l) && l > 0);
  const Prediction p = result.model.predict(made.view());
  for (std::size_t i = 0; i < made.y.size(); ++i) {
    EXPECT_TRUE(p.probability(i, 1) >= 0 && p.probability(i, 1) <= 1);
    EXPECT_TRUE(std::isfinite(p.mean[i]) && p.variance[i] >= 0);
  }
  for (const double z : result.model.inducing_inputs()) EXPECT_TRUE(std::isfinite(z));
  EXPECT_TRUE(report.leave_one_out && std::isfinite(report.leave_one_out->nll));
  return result;
}

TEST(Automatic, OneInAThousand) {
  WeightedTable made = random_table(4000, 3);
  for (std::size_t i = 0; i < 4000; ++i) made.y[i] = i % 1000 == 0;
  const Fit result = ends_well(made);
  const auto p = result.model.predict(made.view()).probabilities_of(1);
  EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0) / 4000, 0.001, 0.001);
}

TEST(Automatic, SeparableClassesKeepParametersFinite) {
  WeightedTable made = random_table(600, 2);
  for (std::size_t i = 0; i < 600; ++i) made.y[i] = made.x[2 * i] > 0.3;
  const Fit result = ends_well(made);
  EXPECT_EQ(evaluate(result.model.predict(made.view()).probabilities, made.y, 2).accuracy, 1);
}

TEST(Automatic, PureNoiseFallsBackToTheBaseRate) {
  for (const double rate : {0.5, 0.2}) {
    WeightedTable made = random_table(1000, 4, 7);
    Random random(8);
    for (int& y : made.y) y = random.uniform() < rate;
    const Fit result = ends_well(made);
    EXPECT_NEAR(result.report.leave_one_out->nll, base_rate_nll(made.y), 0.02);
    const WeightedTable fresh = random_table(1000, 4, 9);
    for (const double p : result.model.predict(fresh.view()).probabilities_of(1)) EXPECT_NEAR(p, rate, 0.12);
  }
}

TEST(Automatic, MoreFeaturesThanRows) { ends_well(random_table(40, 200)); }

TEST(Automatic, OneFeature) {
  WeightedTable made = random_table(500, 1);
  for (std::size_t i = 0; i < 500; ++i) made.y[i] = std::sin(3 * made.x[i]) > 0;
  EXPECT_GT(evaluate(ends_well(made).model.predict(made.view()).probabilities, made.y, 2).accuracy, 0.95);
}

TEST(Automatic, TenRows) { ends_well(random_table(10, 3)); }

TEST(Automatic, TwoRows) {
  WeightedTable made = random_table(2, 2);
  made.y = {0, 1};
  ends_well(made);
}

TEST(Automatic, HeavyDuplicates) {
  WeightedTable made = random_table(3000, 2);
  for (double& x : made.x) x = std::round(x);
  ends_well(made);
  for (double& x : made.x) x = x > 0;
  EXPECT_EQ(ends_well(made).report.rows, 3000u);  // four corners, two labels
}

TEST(Automatic, ScalesFarApart) {
  WeightedTable made = random_table(400, 4);
  for (std::size_t i = 0; i < 400; ++i) {
    made.y[i] = made.x[4 * i] + made.x[4 * i + 1] > 0;
    made.x[4 * i] *= 1e-150;
    made.x[4 * i + 1] = 1e150 * made.x[4 * i + 1];
    made.x[4 * i + 2] = 1e9 + made.x[4 * i + 2];
    made.x[4 * i + 3] = std::exp(20 * made.x[4 * i + 3]);
  }
  EXPECT_GT(evaluate(ends_well(made).model.predict(made.view()).probabilities, made.y, 2).accuracy, 0.95);
}

// The report must show which features are irrelevant.
TEST(Automatic, RelevanceFindsTheFeaturesThatMatter) {
  WeightedTable made = random_table(1500, 5, 3);
  for (std::size_t i = 0; i < 1500; ++i) made.y[i] = made.x[5 * i + 2] * made.x[5 * i + 4] > 0;
  const std::vector<double> relevance = automatic(made).report.relevance;
  for (const std::size_t f : {0, 1, 3}) EXPECT_LT(3 * relevance[f], std::min(relevance[2], relevance[4]));
}

TEST(Automatic, WarpIsChosenByHeldOutRows) {
  WeightedTable heavy = random_table(500, 2, 4);
  for (std::size_t i = 0; i < 500; ++i) heavy.y[i] = std::sin(2 * heavy.x[2 * i]) + heavy.x[2 * i + 1] > 0;
  const WeightedTable even = heavy;
  for (double& x : heavy.x) x = std::exp(2 * x);
  Options chosen, none;
  chosen.kernel = none.kernel = "se";
  const Report report = automatic(heavy, chosen).report;
  EXPECT_EQ(report.warp, "yeo-johnson");
  none.warp = Warp::none;
  const double worst = automatic(heavy, none).report.elbo, best = automatic(even, none).report.elbo;
  EXPECT_GT(best, worst + 20);
  EXPECT_GT(report.elbo, worst + 0.7 * (best - worst));  // most of the loss is recovered
}

TEST(Automatic, WeightsAreRepeatsAndOrderDoesNotMatter) {
  WeightedTable once = random_table(300, 2, 5), repeated{{}, {}, 2};
  for (std::size_t i = 0; i < 300; ++i) {
    once.y[i] = once.x[2 * i] * once.x[2 * i + 1] > 0;
    once.weights.push_back(static_cast<double>(i % 4));
  }
  for (std::size_t copy = 3; copy > 0; --copy)
    for (std::size_t i = 300; i-- > 0;)
      if (i % 4 >= copy) {
        repeated.x.insert(repeated.x.end(), {once.x[2 * i], once.x[2 * i + 1]});
        repeated.y.push_back(once.y[i]);
      }
  const Fit a = automatic(once), b = automatic(repeated);
  EXPECT_EQ(a.report.elbo, b.report.elbo);
  EXPECT_EQ(a.model.predict(once.view()).probabilities, b.model.predict(once.view()).probabilities);
  // One row of a weight of three is left out as a whole, of three copies only one.
  EXPECT_GT(a.report.leave_one_out->nll, b.report.leave_one_out->nll);
}

TEST(Automatic, WarpedModelsSurviveSavingAndLoading) {
  WeightedTable heavy = random_table(400, 2, 4);
  for (std::size_t i = 0; i < 400; ++i) heavy.y[i] = heavy.x[2 * i] > 0;
  for (double& x : heavy.x) x = std::exp(2 * x);
  Options options;
  options.warp = Warp::yeo_johnson;
  const Model model = automatic(heavy, options).model;
  const std::string path = ::testing::TempDir() + "induce_warped.safetensors";
  model.save(path);
  const Model loaded = Model::load(path);
  EXPECT_EQ(loaded.warp(), "yeo-johnson");
  EXPECT_EQ(loaded.predict(heavy.view()).probabilities, model.predict(heavy.view()).probabilities);
  EXPECT_EQ(loaded.inducing_inputs(), model.inducing_inputs());
  // In the user's units: at most nine deviations of log x from the data.
  for (const double z : model.inducing_inputs()) EXPECT_LT(std::abs(z), std::exp(2 * 9.0));
}

TEST(Automatic, LadderRecordsTheGrowth) {
  WeightedTable made = random_table(5000, 2, 6);
  for (std::size_t i = 0; i < 5000; ++i) made.y[i] = std::sin(4 * made.x[2 * i]) > made.x[2 * i + 1];
  Options options;
  options.inducing = 150;
  options.kernel = "se";
  options.warp = Warp::none;
  const Report report = automatic(made, options).report;
  ASSERT_GE(report.stages.size(), 3u);
  EXPECT_LT(report.stages.front().rows, 5000u);
  EXPECT_EQ(report.stages.back().rows, 5000u);
  EXPECT_EQ(report.stages.back().m, report.m);
  EXPECT_EQ(report.stages.back().bound, report.bound);
  for (std::size_t k = 1; k < report.history.size(); ++k)  // within a stage the bound never falls
    if (report.history[k].stage == report.history[k - 1].stage) {
      EXPECT_GE(report.history[k].bound,
                report.history[k - 1].bound - 1e-9 * std::abs(report.history[k].bound));
    }
}

TEST(Automatic, ErrorNamesTheInvalidWeight) {
  WeightedTable made = random_table(10, 1);
  made.y[0] = 0;
  made.y[1] = 1;
  made.weights = {1, 2};
  EXPECT_THROW(automatic(made), Error);
  made.weights.assign(10, 1);
  made.weights[4] = -1;
  try {
    automatic(made);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("in row 4"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace induce::testing
