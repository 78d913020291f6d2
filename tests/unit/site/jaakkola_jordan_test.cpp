// The Jaakkola-Jordan site. Oracles: log sigma itself, which it must never exceed, and lambda in extended
// precision.
#include "site/jaakkola_jordan.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace induce {
namespace {

constexpr double grid_of_xi[] = {0,   1e-9, 1e-5, 1e-3, 9.99e-3, 0.01, 0.0101, 0.1,
                                 0.5, 1,    2,    5,    10,      20,   40,     100};

long double log_sigma(long double f) {
  return f >= 0 ? -std::log1p(std::exp(-f)) : f - std::log1p(std::exp(f));
}

struct Site {
  Site(double y, double xi) { jj_site(y, xi, w, t, c); }
  double at(double f) const { return c + t * f - w * f * f / 2; }
  double w = 0, t = 0, c = 0;
};

TEST(JaakkolaJordan, SiteIsBelowLogSigmaEverywhere) {
  for (const double y : {-1.0, 1.0}) {
    for (const double xi : grid_of_xi) {
      const Site site(y, xi);
      for (double f = -120; f <= 120; f += 0.0625) {
        const double rounding = 1e-15 * (1 + std::abs(site.c) + std::abs(f) + site.w * f * f);
        ASSERT_LE(site.at(f), static_cast<double>(log_sigma(y * f)) + rounding)
            << "y = " << y << ", xi = " << xi << ", f = " << f;
      }
    }
  }
}

TEST(JaakkolaJordan, SiteIsTightAtPlusAndMinusXi) {
  for (const double y : {-1.0, 1.0}) {
    for (const double xi : grid_of_xi) {
      const Site site(y, xi);
      for (const double f : {-xi, xi}) {
        EXPECT_NEAR(site.at(f), static_cast<double>(log_sigma(y * f)), 1e-14 * (1 + xi))
            << "y = " << y << ", xi = " << xi;
      }
    }
  }
}

// As printed in the paper, with tanh(xi), it is not a bound (erratum E1): the site at 0 would be flatter.
TEST(JaakkolaJordan, LambdaFollowsTheErratum) {
  EXPECT_EQ(jj_lambda(0), 0.125);
  EXPECT_NEAR(jj_lambda(2), std::tanh(1.0) / 8, 1e-16);
  EXPECT_EQ(jj_lambda(-3), jj_lambda(3));
}

// Both sides of the switch from series to closed form, and far from it.
TEST(JaakkolaJordan, LambdaAndSlopeMatchExtendedPrecision) {
  for (double xi = 1e-3; xi < 60; xi *= 1.001) {
    const long double x = xi, tanh = std::tanh(x / 2);
    const double lambda = static_cast<double>(tanh / (4 * x));
    const double slope = static_cast<double>(((1 - tanh * tanh) / 2 - tanh / x) / (4 * x));
    ASSERT_NEAR(jj_lambda(xi), lambda, 4e-16 * lambda) << "xi = " << xi;
    ASSERT_NEAR(jj_lambda_slope(xi), slope, 1e-10 * std::abs(slope)) << "xi = " << xi;
    ASSERT_EQ(jj_lambda_slope(-xi), -jj_lambda_slope(xi)) << "xi = " << xi;
  }
  EXPECT_EQ(jj_lambda_slope(0), 0);
}

TEST(JaakkolaJordan, LambdaIsContinuousAtTheSwitch) {
  const double below = std::nextafter(1e-2, 0.0), above = 1e-2;
  EXPECT_NEAR(jj_lambda(below), jj_lambda(above), 1e-16);
  EXPECT_NEAR(jj_lambda_slope(below), jj_lambda_slope(above), 1e-14);
}

// The rule puts xi at the root of m^2 + S2, where the expected site is highest.
TEST(JaakkolaJordan, RefreshMaximisesTheExpectedSite) {
  const double y = -1, m = 0.8, S2 = 1.9;
  double w = 0, t = 0, c = 0;
  JaakkolaJordan().refresh(&y, &m, &S2, 1, &w, &t, &c);
  const double best = c + t * m - w * (m * m + S2) / 2, xi = std::sqrt(m * m + S2);
  for (const double other : {0.5 * xi, 0.99 * xi, 1.01 * xi, 2 * xi}) {
    const Site site(y, other);
    EXPECT_LT(site.c + site.t * m - site.w * (m * m + S2) / 2, best) << other;
  }
}

}  // namespace
}  // namespace induce
