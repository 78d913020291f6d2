// The metrics. Oracles: hand-computed values and brute force.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <induce/error.hpp>

#include <induce/metrics.hpp>
#include "linalg/random.hpp"

namespace induce::test {
namespace {

// Oracle: by hand. Predictions 0 0 1 1 0 against labels 0 1 1 0 0; pairs (one, zero) in the correct order:
// .4 > .1, .4 > .25, .8 > .1, .8 > .25; not .4 < .9 and .8 < .9: 4 of 6. Each row has its own bin of width 1/15.
// Oracle: the standard error of a mean by hand; a weight of 2 is one row that counts twice.
TEST(Metrics, ErrorOfTheNll) {
  const std::vector<double> p{0.9, 0.6, 0.2};
  const std::vector<int> y{1, 1, 0};
  const double l[] = {-std::log(0.9), -std::log(0.6), -std::log(0.8)}, mean = (l[0] + l[1] + l[2]) / 3;
  double squares = 0;
  for (const double each : l) squares += (each - mean) * (each - mean);
  EXPECT_NEAR(evaluate(p, y).nll_error, std::sqrt(squares / 2 / 3), 1e-14);
  const std::vector<double> w{2, 1, 1};
  const double weighted = (2 * l[0] + l[1] + l[2]) / 4;
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += w[i] * w[i] * (l[i] - weighted) * (l[i] - weighted);
  EXPECT_NEAR(evaluate(p, y, w).nll_error, std::sqrt(sum * 3 / 2) / 4, 1e-14);
}

TEST(MetricsOf, SmallExample) {
  const std::vector<double> p{0.1, 0.4, 0.8, 0.9, 0.25};
  const std::vector<int> y{0, 1, 1, 0, 0};
  const Metrics m = evaluate(p, y);
  EXPECT_EQ(m.n, 5U);
  EXPECT_DOUBLE_EQ(m.accuracy, 0.6);
  EXPECT_DOUBLE_EQ(m.nll,
                   -(std::log(0.9) + std::log(0.4) + std::log(0.8) + std::log(0.1) + std::log(0.75)) / 5);
  EXPECT_DOUBLE_EQ(m.brier, (0.01 + 0.36 + 0.04 + 0.81 + 0.0625) / 5);
  EXPECT_DOUBLE_EQ(m.ece, (0.1 + 0.6 + 0.2 + 0.9 + 0.25) / 5);
  EXPECT_DOUBLE_EQ(m.auc, 4.0 / 6);
}

// Oracle: by hand. All of .50, .51, .52 are in bin 7 [7/15, 8/15): |1.53 - 2| / 3.
TEST(MetricsOf, RowsOfABinAreAveraged) {
  const std::vector<double> p{0.50, 0.51, 0.52};
  const std::vector<int> y{1, 0, 1};
  EXPECT_NEAR(evaluate(p, y).ece, 0.47 / 3, 1e-15);
}

TEST(MetricsOf, OneHalfPredictsClassZero) {
  const std::vector<double> p{0.5, 0.5, 0.5};
  const std::vector<int> y{0, 0, 1};
  const Metrics m = evaluate(p, y);
  EXPECT_DOUBLE_EQ(m.accuracy, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.auc, 0.5);  // all tied
}

// Oracle: -log(1e-15) if certain and wrong, 1e-15 if certain and correct.
TEST(MetricsOf, CertaintyIsClipped) {
  EXPECT_NEAR(evaluate(std::vector<double>{1.0, 0.0}, std::vector<int>{0, 1}).nll, 15 * std::log(10.0), 1e-3);
  EXPECT_NEAR(evaluate(std::vector<double>{0.0, 1.0}, std::vector<int>{0, 1}).nll, 1e-15, 2e-16);
  EXPECT_DOUBLE_EQ(evaluate(std::vector<double>{0.0}, std::vector<int>{1}).nll, -std::log(1e-15));
}

TEST(MetricsOf, OneClassHasNoCurve) {
  EXPECT_TRUE(std::isnan(evaluate(std::vector<double>{0.2, 0.3}, std::vector<int>{1, 1}).auc));
  EXPECT_TRUE(std::isnan(evaluate(std::vector<double>{0.2, 0.3}, std::vector<int>{0, 0}).auc));
}

// Oracle: brute force over all pairs; ties count half.
TEST(MetricsOf, AreaMatchesAllPairs) {
  Random random(7);
  std::vector<double> p(500);
  std::vector<int> y(500);
  for (std::size_t i = 0; i < p.size(); ++i) {
    y[i] = random.uniform() < 0.3 ? 1 : 0;
    p[i] = static_cast<double>(random.below(20) + 5 * y[i]) / 25;  // many ties
  }
  double won = 0, pairs = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < p.size(); ++j)
      if (y[i] == 1 && y[j] == 0) {
        won += p[i] > p[j] ? 1 : p[i] == p[j] ? 0.5 : 0;
        ++pairs;
      }
  EXPECT_NEAR(evaluate(p, y).auc, won / pairs, 1e-14);
}

TEST(MetricsOf, NoRows) {
  const Metrics m = evaluate({}, {});
  EXPECT_EQ(m.n, 0U);
  EXPECT_TRUE(std::isnan(m.accuracy));
  EXPECT_TRUE(std::isnan(m.nll));
}

TEST(MetricsOf, RejectsInvalidProbabilitiesAndLabels) {
  EXPECT_THROW(evaluate(std::vector<double>{0.5}, std::vector<int>{0, 1}), Error);
  EXPECT_THROW(evaluate(std::vector<double>{1.5}, std::vector<int>{0}), Error);
  EXPECT_THROW(evaluate(std::vector<double>{std::numeric_limits<double>::quiet_NaN()}, std::vector<int>{0}),
               Error);
  EXPECT_THROW(evaluate(std::vector<double>{0.5}, std::vector<int>{-1}), Error);
}

TEST(MetricsOf, RejectsWeightsThatAreNone) {
  const std::vector<double> p{0.5, 0.5, 0.5}, of_classes{.2, .3, .5, .2, .3, .5, .2, .3, .5};
  const std::vector<int> y{0, 1, 1};
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN(), infinite, -infinite}) {
    const std::vector<double> weight{1, 1, wrong};
    const auto message = [](const auto& call) {
      try {
        call();
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    const std::string binary = message([&] { evaluate(p, y, weight); });
    EXPECT_EQ(binary.find("weight "), 0U) << binary;
    EXPECT_NE(binary.find(" in row 2: must be a number of at least 0"), std::string::npos) << binary;
    EXPECT_EQ(message([&] { evaluate(of_classes, y, 3, weight); }), binary);
    EXPECT_EQ(message([&] { confusion(y, y, 2, weight); }), binary);
  }
  EXPECT_TRUE(std::isnan(evaluate(p, y, std::vector<double>(3, 0)).nll));
}

}  // namespace
}  // namespace induce::test
