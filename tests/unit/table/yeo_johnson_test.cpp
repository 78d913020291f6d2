// The Yeo-Johnson transform. Oracles: its definition at special exponents, its inverse, and
// scipy.stats.yeojohnson (1.17.1) for other exponents and the fitted exponent.
#include <gtest/gtest.h>

#include <cmath>

#include "table/yeo_johnson.hpp"

namespace induce {
namespace {

TEST(YeoJohnson, SpecialExponents) {
  for (const double x : {-3.0, -0.2, 0.0, 0.7, 12.0}) {
    EXPECT_EQ(yeo_johnson(x, 1), x);
    EXPECT_NEAR(yeo_johnson(x, 1 + 1e-9), x, 1e-6);
  }
  EXPECT_DOUBLE_EQ(yeo_johnson(3, 0), std::log(4));
  EXPECT_DOUBLE_EQ(yeo_johnson(-3, 2), -std::log(4));
  EXPECT_DOUBLE_EQ(yeo_johnson(3, 2), 7.5);
}

TEST(YeoJohnson, MatchesScipy) {
  EXPECT_NEAR(yeo_johnson(0.1, 0.3), 0.0966858647369835, 1e-14);
  EXPECT_NEAR(yeo_johnson(1.7, 0.3), 1.157096085992098, 1e-14);
  EXPECT_NEAR(yeo_johnson(-1.2, 2.7), -0.6059385116811532, 1e-14);
  EXPECT_NEAR(yeo_johnson(4.0, 2.7), 28.1960121629634, 1e-12);
}

TEST(YeoJohnson, InverseUndoesIt) {
  for (const double p : {-4.0, -1.0, 0.0, 0.4, 1.0, 1.7, 2.0, 3.5, 6.0})
    for (const double x : {-20.0, -1.0, -1e-3, 0.0, 1e-6, 0.5, 3.0, 30.0})
      EXPECT_NEAR(yeo_johnson_inverse(yeo_johnson(x, p), p), x, 1e-6 * (1 + std::fabs(x))) << p << " " << x;
}

TEST(YeoJohnson, InverseOutOfRangeIsFinite) {
  EXPECT_EQ(yeo_johnson_inverse(5, -1), 1e6);   // psi stays below 1
  EXPECT_EQ(yeo_johnson_inverse(-5, 3), -1e6);  // and above -1
}

TEST(YeoJohnson, FittedExponentMatchesScipy) {
  const std::vector<double> x{0.1, 0.5, 0.9, 1.7, 2.2, 4.0, 9.5, -0.3, -1.2, 0.0, 25.0, 3.3};
  const std::vector<double> share(x.size(), 1.0 / 12);
  EXPECT_NEAR(fit_yeo_johnson(x, share).exponent, 0.036656, 1e-3);
}

TEST(YeoJohnson, WeightsEqualRepeats) {
  const std::vector<double> x{0.5, 1, 4, 9}, repeated{0.5, 1, 1, 4, 4, 4, 9};
  const double s = 1.0 / 7;
  EXPECT_NEAR(fit_yeo_johnson(x, {s, 2 * s, 3 * s, s}).exponent,
              fit_yeo_johnson(repeated, std::vector<double>(7, s)).exponent, 1e-3);
}

TEST(YeoJohnson, TwoValuesAreNotTransformed) {
  EXPECT_EQ(fit_yeo_johnson({0, 1, 1, 0}, {.25, .25, .25, .25}).exponent, 1);
  EXPECT_EQ(fit_yeo_johnson({3, 3}, {.5, .5}).exponent, 1);
  EXPECT_EQ(fit_yeo_johnson({}, {}).exponent, 1);
}

}  // namespace
}  // namespace induce
