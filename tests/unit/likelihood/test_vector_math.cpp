// exp_fast, exp_nonpositive and exp_inplace. Oracle: std::exp of the C library, which is within 1 ulp.
#include "linalg/vector_math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace induce {
namespace {

// The number of doubles between two nonnegative doubles.
std::int64_t ulps_between(double a, double b) {
  return std::abs(std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b));
}

std::int64_t worst_ulps(const std::vector<double>& x) {
  std::vector<double> y = x;
  exp_inplace(y.data(), y.size());
  std::int64_t worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, ulps_between(y[i], std::exp(x[i])));
  return worst;
}

std::vector<double> uniform(double low, double high, std::size_t count) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> draw(low, high);
  std::vector<double> x(count);
  for (double& xi : x) xi = draw(random);
  return x;
}

TEST(ExpInplace, WithinTwoUlpsOfTheLibraryOverTheWholeRange) {
  EXPECT_LE(worst_ulps(uniform(-1e-3, 1e-3, 100'001)), 2);
  EXPECT_LE(worst_ulps(uniform(-2, 2, 300'001)), 2);
  EXPECT_LE(worst_ulps(uniform(-708, 709.7, 300'001)), 2);
}

TEST(ExpInplace, SubnormalResultsAreRoundedNotFlushed) {
  EXPECT_LE(worst_ulps(uniform(-745.1, -708, 100'001)), 2);
  EXPECT_GT(exp_fast(-745), 0.0);
}

TEST(ExpInplace, EdgesOfTheRange) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(exp_fast(0.0), 1.0);
  EXPECT_EQ(exp_fast(-0.0), 1.0);
  EXPECT_LE(ulps_between(exp_fast(709.782712893384), std::exp(709.782712893384)), 2);
  for (double x : {709.79, 710.0, 1e4, 1e300, infinity}) EXPECT_EQ(exp_fast(x), infinity) << x;
  for (double x : {-745.2, -746.0, -1e4, -1e300, -infinity}) EXPECT_EQ(exp_fast(x), 0.0) << x;
  EXPECT_TRUE(std::isnan(exp_fast(std::numeric_limits<double>::quiet_NaN())));
}

TEST(ExpInplace, WritesExactlyTheGivenElements) {
  for (std::size_t n = 0; n < 20; ++n) {
    std::vector<double> x(n + 1, -0.5);
    exp_inplace(x.data(), n);
    for (std::size_t i = 0; i < n; ++i) EXPECT_LE(ulps_between(x[i], std::exp(-0.5)), 2);
    EXPECT_EQ(x[n], -0.5);
  }
}

TEST(ExpInplace, NanStaysInItsOwnElement) {
  std::vector<double> x(9, 1.0);
  x[4] = std::numeric_limits<double>::quiet_NaN();
  exp_inplace(x.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(std::isnan(x[i]), i == 4);
}

TEST(ExpNonpositive, WithinTwoUlpsDownToItsFloor) {
  for (double x : uniform(-708, 0, 100'001)) EXPECT_LE(ulps_between(exp_nonpositive(x), std::exp(x)), 2) << x;
  EXPECT_EQ(exp_nonpositive(0.0), 1.0);
  for (double x : {-709.0, -1e4, -1e300, -std::numeric_limits<double>::infinity()}) {
    EXPECT_GE(exp_nonpositive(x), 0.0) << x;
    EXPECT_LE(exp_nonpositive(x), 4e-308) << x;
  }
  EXPECT_TRUE(std::isnan(exp_nonpositive(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace induce
