// Choosing the kernel and the warp. Oracles: the function that made the labels, fits with a given kernel,
// and the contract of the report.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <induce/fit.hpp>

#include "linalg/random.hpp"

namespace induce {
namespace {

struct Made {
  std::vector<double> x;
  std::vector<int> y;
  std::size_t d;
  TableView view() const { return {x.data(), y.size(), d}; }
};

Made make(std::size_t n, std::size_t d, std::uint64_t seed,
          const std::function<double(const double*)>& logit) {
  Random random(seed);
  Made made{.x = {}, .y = {}, .d = d};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t f = 0; f < d; ++f) made.x.push_back(random.normal());
    const double p = 1 / (1 + std::exp(-logit(made.x.data() + i * d)));
    made.y.push_back(random.uniform() < p);
  }
  return made;
}

double wave(const double* x) { return 2.5 * std::cos(4 * x[2]) + x[5]; }

double test_nll(const Fit& done, const Made& test) {
  const Prediction found = done.model.predict(test.view());
  return evaluate(found.probabilities, test.y, 2).nll;
}

double interaction_behind_a_wave(const double* x) {
  return 2 * std::sin(4 * x[0]) + 1.5 * std::cos(3 * x[1]) * x[2];
}

// Explaining the wave with the joint part first is a dead end; the start from short length-scales avoids it.
TEST(ModelChoice, FindsAnInteractionBehindAWave) {
  const Made train = make(4400, 4, 5, interaction_behind_a_wave),
             test = make(4000, 4, 6, interaction_behind_a_wave);
  Options options;
  options.inducing = 60;
  options.warp = Warp::none;
  double least = 0;
  for (std::size_t i = 0; i < test.y.size(); ++i) {
    const double logit = interaction_behind_a_wave(test.x.data() + i * test.d);
    least += std::log1p(std::exp(test.y[i] ? -logit : logit)) / static_cast<double>(test.y.size());
  }
  EXPECT_LT(test_nll(fit(train.view(), train.y, options), test), least + 0.03);  // without the interaction .1
}

// A wave in one of ten features: a main effect finds it, and the fit chooses it.
TEST(ModelChoice, FindsAWave) {
  const Made train = make(4400, 7, 1, wave), test = make(4000, 7, 2, wave);
  Options few;
  few.inducing = 40;
  few.warp = Warp::none;
  const Fit chosen = fit(train.view(), train.y, few);
  EXPECT_NE(chosen.report.kernel.find("mains"), std::string::npos) << chosen.report.kernel;
  EXPECT_EQ(chosen.model.kernel(), chosen.report.kernel);
  Options plain = few;
  plain.kernel = "se";
  const double without = test_nll(fit(train.view(), train.y, plain), test), with = test_nll(chosen, test);
  EXPECT_LT(with, without - 0.05);
  ASSERT_EQ(chosen.report.choices.size() >= 1, true);
  const Chosen& choice = chosen.report.choices[0];
  EXPECT_EQ(choice.what, "kernel");
  EXPECT_NE(choice.chosen.name.find("+mains+pairs"), std::string::npos) << choice.chosen.name;
  EXPECT_GE(choice.held_out, 1000U);
  EXPECT_FALSE(choice.reason.empty());
  ASSERT_FALSE(choice.others.empty());
  for (const Chosen::Candidate& other : choice.others) EXPECT_TRUE(std::isfinite(other.nll)) << other.name;
  ASSERT_EQ(chosen.report.importance.size(), 7U);
  for (const std::size_t noise : {0, 1, 3, 4, 6})
    EXPECT_GT(chosen.report.importance[2].total, chosen.report.importance[noise].total);
}

TEST(ModelChoice, AGivenKernelAndWarpAreKept) {
  const Made train = make(300, 3, 4, [](const double* x) { return 2 * x[0]; });
  Options options;
  options.kernel = "matern32+mains:0,2";
  options.warp = Warp::none;
  const Fit done = fit(train.view(), train.y, options);
  EXPECT_EQ(done.report.kernel, "matern32+mains:0,2");
  EXPECT_TRUE(done.report.choices.empty());
  EXPECT_FALSE(done.report.cross_validation);
  EXPECT_EQ(Model::from_bytes(done.model.to_bytes()).kernel(), "matern32+mains:0,2");
  const std::vector<double>& l = done.model.theta().values("mains.lengthscales");
  EXPECT_EQ(l.size(), 2U);
}

TEST(ModelChoice, ThePapersMethodsUseTheSquaredExponential) {
  const Made train = make(200, 3, 5, [](const double* x) { return 2 * x[0]; });
  Options options;
  options.method = Method::vi_jj;
  EXPECT_EQ(fit(train.view(), train.y, options).report.kernel, "se");
}

TEST(ModelChoice, DoesNotDependOnThreads) {
  const Made train = make(300, 4, 7, [](const double* x) { return 2 * std::sin(3 * x[0]) + x[1] * x[2]; });
  Options one, two;
  one.threads = 1;
  two.threads = 2;
  const Fit a = fit(train.view(), train.y, one), b = fit(train.view(), train.y, two);
  EXPECT_TRUE(a.model.to_bytes() == b.model.to_bytes());
}

}  // namespace
}  // namespace induce
