// Thresholds of sets of classes. Oracle: the rows that they are made of, and new ones.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/doubt.hpp>

#include "linalg/random.hpp"
#include "train/set_thresholds.hpp"

namespace induce::testing {
namespace {

using namespace detail;

// Rows with random probabilities of three classes that are too sure of themselves.
struct Overconfident {
  Overconfident(unsigned seed, Index n) : targets(Vector(n)) {
    Random random(seed);
    for (Index i = 0; i < n; ++i) {
      double p[3], sharp[3], sum = 0, sharp_sum = 0;
      for (int c = 0; c < 3; ++c) {
        const double f = random.normal();
        sum += p[c] = std::exp(f);
        sharp_sum += sharp[c] = std::exp(3 * f);
      }
      for (const double each : sharp) probability.push_back(each / sharp_sum);
      const double u = random.uniform() * sum;
      targets.y[i] = u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2;
      targets.weight[i] = static_cast<double>(i % 3 + 1);
    }
  }
  double right(double alpha, std::span<const double> thresholds) const {
    const std::vector<char> sets = class_sets(probability, 3, alpha, thresholds);
    double sum = 0;
    for (Index i = 0; i < targets.n(); ++i)
      sum += sets[static_cast<std::size_t>(3 * i + static_cast<Index>(targets.y[i]))] ? targets.weight[i] : 0;
    return sum / targets.weight.sum();
  }
  std::vector<double> probability;
  Targets targets;
};

TEST(SetThresholds, AreRightAsOftenAsTheySay) {
  const Overconfident known(1, 4000), fresh(2, 20000);
  const std::vector<double> thresholds = set_thresholds(known.probability, known.targets, 3);
  ASSERT_EQ(thresholds.size(), 101U);
  for (const double alpha : {0.01, 0.05, 0.1, 0.25, 0.5}) {
    EXPECT_GE(known.right(alpha, thresholds), 1 - alpha);
    EXPECT_NEAR(fresh.right(alpha, thresholds), std::max(1 - alpha, fresh.right(0.5, thresholds)), 0.025);
  }
  EXPECT_LT(fresh.right(0.1, {}), 0.85);  // the probabilities alone
  EXPECT_EQ(known.right(0.001, thresholds), 1);
}

TEST(SetThresholds, OfTwoClassesByHand) {
  const std::vector<double> p{0.9, 0.6, 0.2, 0.7};  // of the second class
  Targets targets{Vector(4)};
  targets.y << 1, -1, -1, -1;  // e: 0, .6, 0, .7
  const std::vector<double> thresholds = set_thresholds(p, targets, 1);
  EXPECT_EQ(thresholds[0], 0.7);
  EXPECT_EQ(thresholds[100], 0.6);  // (1 - 1/2) 5 = 2.5 rows
  EXPECT_EQ(thresholds[60], 0.7);   // (1 - .3) 5 = 3.5 rows
  EXPECT_EQ(thresholds[30], 1);     // (1 - .15) 5 = 4.25 rows are more than there are
}

}  // namespace
}  // namespace induce::testing
