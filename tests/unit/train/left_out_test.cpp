// What is said about rows that are left out. Oracle: the gain over the base rate, in nats, by hand.
#include <cmath>

#include <gtest/gtest.h>

#include "likelihood/likelihood.hpp"
#include "train/plan.hpp"

namespace induce::testing {
namespace {

// 100 rows, half of each class, whose labels have the probability p.
Report report_of(double p, const Vector& weight) {
  constexpr Index rows = 100;
  Vector y(rows), probability(rows);
  for (Index i = 0; i < rows; ++i) {
    y[i] = i % 2 == 0 ? 1 : -1;
    probability[i] = i % 2 == 0 ? p : 1 - p;
  }
  Report report;
  detail::report_leave_one_out(probability, Targets(y, weight), likelihood("logistic"), report);
  return report;
}

TEST(LeftOut, FeaturesPredictIfTheyGainMoreThanChance) {
  const Vector equal = Vector::Ones(100);
  for (const double p : {0.4, 0.49, 0.51, 0.52, 0.53, 0.6}) {
    const Report report = report_of(p, equal);
    const double gain = 100 * (std::log(2) + std::log(p));
    EXPECT_EQ(report.warnings.empty(), gain > std::log(100)) << p << ": " << gain;
    EXPECT_EQ(std::isnan(report.leave_one_out->auc), p < 0.5) << p;
  }
}

TEST(LeftOut, WeightsAreRelative) {
  const Vector equal = Vector::Ones(100);
  EXPECT_TRUE(report_of(0.53, equal).warnings.empty());
  EXPECT_TRUE(report_of(0.53, 1e-3 * equal).warnings.empty());
  Vector few = 1e-3 * equal;  // nearly all of the weight is that of two rows
  few.head(2).setOnes();
  EXPECT_FALSE(report_of(0.53, few).warnings.empty());
}

}  // namespace
}  // namespace induce::testing
