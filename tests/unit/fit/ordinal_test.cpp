// Fits of ordered classes. Oracles: the thresholds that made the labels, the bits of another fit that must be the same, the contract
// of each option.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>
#include <induce/explain.hpp>
#include <induce/export.hpp>
#include <induce/fit.hpp>
#include <induce/metrics.hpp>

#include "fit/fit_shards.hpp"
#include "linalg/random.hpp"
#include "shard/near_shards.hpp"
#include "train/methods.hpp"
#include "unit/read/temporary.hpp"

namespace induce::testing {
namespace {

// Labels by known thresholds of a function of the first two columns.
struct Grades {
  explicit Grades(std::size_t n, std::vector<double> b = {-2, -0.5, 1.5}) : thresholds(std::move(b)) {
    Random random(5);
    for (std::size_t i = 0; i < n; ++i) {
      const double row[] = {random.normal(), random.normal(), random.normal()};
      x.insert(x.end(), row, row + 3);
      const double u = random.uniform(), f = 1.5 * std::sin(1.5 * row[0]) + row[1] + std::log(u / (1 - u));
      int level = 0;
      for (const double each : thresholds) level += f > each;
      y.push_back(level);
    }
  }
  TableView view() const { return {x.data(), y.size(), 3}; }
  Names names() const {
    Names out;
    out.classes = {"awful", "bad", "good", "superb"};
    out.classes.resize(thresholds.size() + 1);
    out.features = {"a", "b", "c"};
    return out;
  }
  Fit fit(const Options& options, std::span<const double> weights = {}) const {
    return induce::fit(view(), y, options, weights, names());
  }

  std::vector<double> thresholds, x;
  std::vector<int> y;
};

Options ordinal(int max_iter = 0) {
  Options options;
  options.likelihood = "ordinal";
  options.kernel = "se";
  options.warp = Warp::none;
  options.inducing = 30;
  options.max_iter = max_iter;
  options.threads = 1;
  return options;
}

// The latent function has mean 0 under its prior, but its average over the rows may be anything: thresholds are compared relative to
// the first. A difference of two thresholds has about the standard error of the logit of a share, 1/sqrt(n p (1 - p)).
TEST(OrdinalFit, FindsTheThresholdsThatMadeTheLabels) {
  const Grades data(3000);
  const Fit found = data.fit(ordinal());
  EXPECT_EQ(found.report.status, Status::converged);
  EXPECT_EQ(found.model.likelihood(), "ordinal");
  const std::vector<double>& b = found.report.theta.values("thresholds");
  ASSERT_EQ(b.size(), 3u);
  for (std::size_t k = 1; k < 3; ++k)
    EXPECT_NEAR(b[k] - b[k - 1], data.thresholds[k] - data.thresholds[k - 1], 0.2) << k;
  const Prediction p = found.model.predict(data.view());
  EXPECT_EQ(p.functions(), 1u);
  const Metrics metrics = evaluate(p.probabilities, data.y, 4, {}, true);
  Options softmax = ordinal();
  softmax.likelihood = "softmax";
  const Metrics others =
      evaluate(data.fit(softmax).model.predict(data.view()).probabilities, data.y, 4, {}, true);
  EXPECT_LT(metrics.rps, others.rps + 0.002);
  ASSERT_TRUE(found.report.leave_one_out);
  EXPECT_NEAR(found.report.leave_one_out->rps, metrics.rps, 0.01);
  EXPECT_GT(found.report.leave_one_out->level_error, 0.3);
}

TEST(OrdinalFit, TheMethodsOfThePaperButTaylorRefuse) {
  const Grades data(300);
  for (const MethodTraits& row : methods) {
    SCOPED_TRACE(row.name);
    Options options = ordinal(10);
    options.method = row.method;
    const bool able = row.method == Method::vi_newton || row.method == Method::vi_taylor;
    try {
      const Fit result = data.fit(options);
      EXPECT_TRUE(able);
      EXPECT_EQ(result.model.likelihood(), "ordinal");
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_FALSE(able) << text;
      EXPECT_EQ(error.fault(), Fault::usage);
      for (const std::string& part :
           {std::string("ordinal"), std::string(row.name), std::string("vi-taylor, vi-newton")})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }
}

// Both maximise nearly the same bound.
TEST(OrdinalFit, TaylorFindsTheThresholdsOfNewton) {
  const Grades data(600);
  Options options = ordinal();
  options.ard = false;
  options.noise = true;
  options.learn_inputs = false;
  const std::vector<double> newton = data.fit(options).report.theta.values("thresholds");
  options.method = Method::vi_taylor;
  const std::vector<double> taylor = data.fit(options).report.theta.values("thresholds");
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(taylor[k], newton[k], 0.3) << k;
}

TEST(OrdinalFit, TwoClassesAreLogistic) {
  const Grades data(300, {0.3});
  Options options = ordinal(10);
  const Fit one = data.fit(options);
  EXPECT_EQ(one.model.likelihood(), "logistic");
  options.likelihood = "logistic";
  EXPECT_TRUE(one.model.to_bytes() == data.fit(options).model.to_bytes());
}

TEST(OrdinalFit, AWeightOfTwoIsTwoRows) {
  const Grades data(250);
  std::vector<double> weights(250, 1), x = data.x;
  std::vector<int> y = data.y;
  for (std::size_t i = 0; i < 250; i += 3) {
    weights[i] = 2;
    x.insert(x.end(), data.x.begin() + static_cast<std::ptrdiff_t>(3 * i),
             data.x.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
    y.push_back(data.y[i]);
  }
  const Options options = ordinal(15);
  const Model weighted = data.fit(options, weights).model,
              copied = fit(TableView{x.data(), y.size(), 3}, y, options, {}, data.names()).model;
  const Prediction one = weighted.predict(data.view()), two = copied.predict(data.view());
  for (std::size_t k = 0; k < one.probabilities.size(); ++k)
    EXPECT_NEAR(one.probabilities[k], two.probabilities[k], 1e-9);
}

TEST(OrdinalFit, ClassWeightsAreRefused) {
  const Grades data(200);
  Options options = ordinal(5);
  options.class_weights = {1, 2, 3, 4};
  EXPECT_THROW(data.fit(options), Error);
}

TEST(OrdinalFit, WithoutSignalItIsTheBaseRate) {
  Random random(2);
  std::vector<double> x;
  std::vector<int> y;
  for (int i = 0; i < 120; ++i) {
    for (int f = 0; f < 2; ++f) x.push_back(random.normal());
    y.push_back(i % 10 < 5 ? 0 : i % 10 < 8 ? 1 : 2);
  }
  Options options;
  options.likelihood = "ordinal";
  options.max_iter = 30;
  const Fit found = fit(TableView{x.data(), y.size(), 2}, y, options);
  const double row[] = {0.2, -0.3};
  const Prediction p = found.model.predict(TableView{row, 1, 2});
  EXPECT_NEAR(p.probability(0, 0), 0.5, 0.03);
  EXPECT_NEAR(p.probability(0, 2), 0.2, 0.03);
}

class OrdinalStops : public test::TemporaryFiles {};

TEST_F(OrdinalStops, ResumesToTheSameBits) {
  const Grades data(400);
  const std::string state = path("fit.state");
  for (const Method method : {Method::vi_newton, Method::vi_taylor}) {
    Options options = ordinal(20);
    options.method = method;
    const std::string want = data.fit(options).model.to_bytes();
    options.checkpoint = state;
    options.checkpoint_every = method == Method::vi_taylor ? 0 : 1e9;
    options.on_iteration = [](const Progress& progress) { return progress.iteration < 4; };
    ASSERT_EQ(data.fit(options).report.status, Status::interrupted);
    options.on_iteration = nullptr;
    options.resume = state;
    EXPECT_TRUE(data.fit(options).model.to_bytes() == want) << static_cast<int>(method);
  }
}

TEST(OrdinalShards, GiveTheSameBytes) {
  const Grades data(1500);
  const std::vector<double> weight(data.y.size(), 1);
  for (const Method method : {Method::vi_newton, Method::vi_taylor})
    for (const std::size_t sample : {std::size_t{1000}, std::size_t{100000}}) {
      Options options = ordinal(8);
      options.method = method;
      options.sample_rows = sample;
      const std::string want = data.fit(options, weight).model.to_bytes();
      for (const int count : {1, 3}) {
        NearShards near(count);
        const std::size_t n = data.y.size();
        for (int k = 0; k < count; ++k) {
          const std::size_t first = n * static_cast<std::size_t>(k) / static_cast<std::size_t>(count),
                            end = n * static_cast<std::size_t>(k + 1) / static_cast<std::size_t>(count);
          near.shards[static_cast<std::size_t>(k)]->add_rows(
              &data.x[3 * first], static_cast<Index>(end - first), 3, &data.y[first], &weight[first], k);
        }
        EXPECT_TRUE(fit_shards(near, options, data.names()).model.to_bytes() == want)
            << static_cast<int>(method) << " " << sample << " " << count;
      }
    }
}

TEST(OrdinalFit, ItsExplanationAndExportsHaveOneFunction) {
  const Grades data(400);
  const Model model = data.fit(ordinal(20)).model;
  ASSERT_TRUE(model.explanation());
  for (const Effect& effect : model.explanation()->effects)
    EXPECT_EQ(effect.mean.size(), effect.values.size());
  const PlainModel plain = plain_model(model);
  EXPECT_EQ(plain.functions.size(), 1u);
  EXPECT_EQ(plain.thresholds, model.theta().values("thresholds"));
}

TEST(OrderedMetrics, AreTheirDefinition) {
  const std::vector<double> p{.2, .5, .3, 0, 0, 1, .6, .3, .1};
  const std::vector<int> y{0, 0, 0};
  const Metrics all = evaluate(p, y, 3, {}, true);
  // Rows: ((.2-1)^2 + (.7-1)^2)/2, (1 + 1)/2, ((.6-1)^2 + (.9-1)^2)/2; levels 1, 2, 0.
  EXPECT_NEAR(all.rps, (.365 + 1 + .085) / 3, 1e-15);
  EXPECT_NEAR(all.level_error, 1, 1e-15);
  EXPECT_TRUE(std::isnan(evaluate(p, y, 3).rps));
  const std::vector<double> levels = expected_levels(p, 3);
  EXPECT_NEAR(levels[0], 2.1, 1e-15);
  EXPECT_NEAR(levels[1], 3, 1e-15);
  EXPECT_NEAR(levels[2], 1.5, 1e-15);
}

}  // namespace
}  // namespace induce::testing
