// Oracle: the metrics of a prediction that is the same for every row.
#include "model/base_rate.hpp"

#include <gtest/gtest.h>

#include <vector>

#include <induce/metrics.hpp>

namespace induce::testing {
namespace {

TEST(BaseRate, IsThatOfTrainingOnTheRowsTested) {
  const std::vector<double> training{70, 30}, tested{1, 3};
  const std::vector<double> probability(4, 0.3);
  const std::vector<int> y{0, 1, 1, 1};
  EXPECT_NEAR(base_rate_nll(training, tested), evaluate(probability, y).nll, 1e-14);
}

TEST(BaseRate, WithoutRowsOfAClass) {
  const std::vector<double> training{2, 2, 0}, tested{4, 0, 0};
  EXPECT_NEAR(base_rate_nll(training, tested), 0.69314718055994531, 1e-15);
}

}  // namespace
}  // namespace induce::testing
