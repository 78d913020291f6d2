// Sums that are rounded once. Oracle: sums of integers, and a sum whose exact value is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "rows/exact_sum.hpp"

namespace induce::testing {
namespace {

double sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

TEST(ExactSum, LosesNothing) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e100, 1, -1e100}), 1);
  EXPECT_EQ(sum_of(std::vector<double>(10, .1)), 1);  // a plain sum is not
  // Halfway between two numbers, and a bit more or less: 1 + 2^-53 +- 2^-106.
  EXPECT_EQ(sum_of({1, 0x1p-53}), 1);
  EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-106}), 1 + 0x1p-52);
  EXPECT_EQ(sum_of({1, 0x1p-53, -0x1p-106}), 1);
}

TEST(ExactSum, DependsNeitherOnOrderNorOnParts) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(std::exp(20 * normal(random)) * (i % 3 - 1));
  const double want = sum_of(values);
  for (int k = 0; k < 20; ++k) {
    std::shuffle(values.begin(), values.end(), random);
    ExactSum parts[3], all;
    for (std::size_t i = 0; i < values.size(); ++i) parts[i % 3].add(values[i]);
    for (const ExactSum& part : parts)
      for (const double each : part.parts()) all.add(each);
    EXPECT_EQ(all.value(), want);
  }
}

}  // namespace
}  // namespace induce::testing
