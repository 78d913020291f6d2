// What a fit of a small table says about itself. Oracles: the function that made the labels, fresh rows, labels that are independent of
// the features, and the same table with other last digits.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <induce/fit.hpp>

#include "linalg/random.hpp"

namespace induce::about_small_tables {
namespace {

struct Made {
  std::vector<double> x;
  std::vector<int> y;
  std::size_t d;
  TableView view() const { return {x.data(), y.size(), d}; }
};

Made make(std::size_t n, std::size_t d, std::uint64_t seed, const std::function<double(Random&)>& value,
          const std::function<double(const double*)>& logit) {
  Random random(seed);
  Made made{.x = {}, .y = {}, .d = d};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t f = 0; f < d; ++f) made.x.push_back(value(random));
    made.y.push_back(random.uniform() < 1 / (1 + std::exp(-logit(made.x.data() + i * d))));
  }
  return made;
}

double normal(Random& random) { return random.normal(); }
double no_signal(const double*) { return 0; }

double nll_of(const Fit& done, const Made& rows) {
  return evaluate(done.model.predict(rows.view()).probabilities, rows.y, 2).nll;
}

// Few distinct rows: copies of a row are on both sides of a fold, each with its own label.
TEST(CrossValidation, OfRepeatedRowsStatesWhatFreshRowsHave) {
  const auto level = [](Random& random) { return double(random.below(3)); };
  const auto logit = [](const double* x) { return 1.5 * x[0] - 2 * x[1] + 1.2 * (x[2] == 1); };
  const Made train = make(700, 3, 1, level, logit), fresh = make(20000, 3, 2, level, logit);
  const Fit done = fit(train.view(), train.y);
  ASSERT_TRUE(done.report.cross_validation);
  const Metrics& stated = *done.report.cross_validation;
  EXPECT_EQ(stated.n, 700U);
  EXPECT_GT(stated.nll_error, 0.005);
  EXPECT_NEAR(stated.nll, nll_of(done, fresh), 3 * stated.nll_error);
}

// The columns with the largest effects of chance are chosen without the fold that judges them.
TEST(CrossValidation, OfNoiseIsNoBetterThanTheBaseRateAndTheModelIsTheBaseRate) {
  for (const std::size_t d : {3, 600}) {
    SCOPED_TRACE(std::to_string(d) + " columns");
    const Made train = make(60, d, d, normal, no_signal), fresh = make(2000, d, d + 1, normal, no_signal);
    const Fit done = fit(train.view(), train.y);
    ASSERT_TRUE(done.report.cross_validation);
    double ones = 0;
    for (const int label : train.y) ones += label / 60.0;
    const double base = -ones * std::log(ones) - (1 - ones) * std::log(1 - ones);
    EXPECT_GT(done.report.cross_validation->nll, base - 1e-3);
    EXPECT_NEAR(done.report.cross_validation->auc, 0.5, 1e-12);
    double of_base_rate = 0;
    for (const int label : fresh.y) of_base_rate -= std::log(label ? ones : 1 - ones) / 2000;
    EXPECT_NEAR(nll_of(done, fresh), of_base_rate, 1e-4);
    ASSERT_FALSE(done.report.warnings.empty());
    EXPECT_NE(done.report.warnings[0].find("do not predict"), std::string::npos);
  }
}

// From 1,000 rows on two of four folds judge, if they show a signal; what is stated is what fresh rows have, and the warp was chosen
// on the other half.
TEST(CrossValidation, OfManyRowsNeedsTwoFoldsThatShowASignal) {
  const auto skewed = [](Random& random) { return std::exp(0.7 * random.normal()); };
  const auto logit = [](const double* x) { return 2 * std::sin(3 * std::log(x[0])) + 1.5 * std::log(x[1]); };
  const Made train = make(1200, 3, 15, skewed, logit), fresh = make(20000, 3, 16, skewed, logit);
  const Fit done = fit(train.view(), train.y);
  ASSERT_TRUE(done.report.cross_validation);
  const Metrics& stated = *done.report.cross_validation;
  EXPECT_EQ(stated.n, 600U);
  EXPECT_NEAR(stated.nll, nll_of(done, fresh), 3 * stated.nll_error);
  EXPECT_EQ(done.report.rows, 1200U);
  ASSERT_EQ(done.report.choices.size(), 2U);
  EXPECT_NE(done.report.choices[0].reason.find("over all rows"), std::string::npos)
      << done.report.choices[0].reason;
  EXPECT_NE(done.report.choices[1].reason.find("over 600 of the rows"), std::string::npos)
      << done.report.choices[1].reason;

  const Made without = make(1200, 3, 17, normal, no_signal);
  const Fit noise = fit(without.view(), without.y);
  ASSERT_TRUE(noise.report.cross_validation);
  EXPECT_EQ(noise.report.cross_validation->n, 1200U);
  ASSERT_FALSE(noise.report.warnings.empty());
  EXPECT_NE(noise.report.warnings[0].find("do not predict"), std::string::npos);
}

// A weight belongs to its row: a few heavy rows without signal do not make a signal.
TEST(CrossValidation, OfNoiseWithWeights) {
  const Made train = make(200, 4, 9, normal, no_signal);
  std::vector<double> weights;
  for (std::size_t i = 0; i < 200; ++i) weights.push_back(i % 10 == 0 ? 20 : 1);
  const Fit done = fit(train.view(), train.y, {}, weights);
  const Made fresh = make(5000, 4, 10, normal, no_signal);
  EXPECT_LT(nll_of(done, fresh), 0.72);
}

// Seeds draw other folds; a factor of 1 + 1e-9 draws other hashes.
TEST(CrossValidation, ProbabilitiesOfASmallTableDoNotJump) {
  const auto logit = [](const double* x) { return 2 * std::sin(x[0]) + x[1] * x[2] + 0.5 * x[3]; };
  const Made train = make(250, 4, 11, normal, logit), rows = make(200, 4, 12, normal, logit);
  const std::vector<double> first = fit(train.view(), train.y).model.predict(rows.view()).probabilities;
  for (int variant = 0; variant < 3; ++variant) {
    Made other = train;
    Options options;
    options.seed = variant == 0 ? 1 : 0;
    for (double& x : other.x) x = variant == 1 ? x * (1 + 1e-9) : variant == 2 ? double(float(x)) : x;
    const std::vector<double> p =
        fit(other.view(), other.y, options).model.predict(rows.view()).probabilities;
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], first[i], 0.05) << variant;
  }
}

// Terms may be 0, so a bound far below that of the joint part alone is that of a plateau.
TEST(CrossValidation, TermsAreNeverFarBelowTheirJointPart) {
  const auto logit = [](const double* x) { return 2 * std::sin(2 * x[0]) + 1.5 * x[1] * x[2]; };
  const Made train = make(200, 5, 14, normal, logit);
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Options options;
    options.seed = seed;
    options.warp = Warp::none;
    for (const Chosen& choice : fit(train.view(), train.y, options).report.choices) {
      double plain = choice.chosen.bound, terms = choice.others.at(0).bound;
      if (choice.chosen.name.find("mains") != std::string::npos) std::swap(plain, terms);
      EXPECT_GT(terms, plain - 2) << "seed " << seed;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 6);
}

TEST(CrossValidation, SaysByWhichRuleItChose) {
  const Made train = make(300, 3, 13, normal, [](const double* x) { return 3 * std::sin(2 * x[0]) + x[1]; });
  const Report report = fit(train.view(), train.y).report;
  ASSERT_FALSE(report.choices.empty());
  for (const Chosen& choice : report.choices) {
    EXPECT_EQ(choice.held_out, 0U);
    EXPECT_NE(choice.reason.find("highest bound"), std::string::npos) << choice.reason;
    EXPECT_EQ(choice.reason.find("-"), std::string::npos) << choice.reason;
    EXPECT_TRUE(std::isfinite(choice.chosen.bound));
    for (const Chosen::Candidate& other : choice.others) {
      EXPECT_TRUE(std::isnan(other.nll));
      EXPECT_LT(other.bound, choice.chosen.bound + 0.5);
    }
  }
}

}  // namespace
}  // namespace induce::about_small_tables
