// Expectations of the logistic likelihood. Oracles: stored 20-digit integrals (logistic_digits.inc, made by
// make_digits.py), a brute-force trapezoid rule, central differences, and exact identities.
#include "likelihood/logistic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace induce {
namespace {

struct Digits {
  double mean, variance, value, slope, curvature, log_probability;
};

constexpr Digits digits[] = {
#include "logistic_digits.inc"
};

struct Moments {
  double value, slope, curvature;
};

Moments moments(double mean, double variance) {
  Moments out;
  expected_log_sigmoid(&mean, &variance, 1, &out.value, &out.slope, &out.curvature);
  return out;
}

// E[g(f)] by the trapezoid rule over +-10 standard deviations, with 20,001 nodes.
template <class Function>
double brute_force(double mean, double variance, Function g) {
  const int half = 10'000;
  const double step = 10.0 / half;
  double total = 0;
  for (int j = -half; j <= half; ++j) {
    const double t = step * j;
    total += std::exp(-0.5 * t * t) * g(mean + std::sqrt(variance) * t);
  }
  return total * step / std::sqrt(2 * std::numbers::pi);
}

struct Point {
  double mean, variance;
};

// Means in [-50, 50], denser near 0; variances in [1e-6, 1e4], uniform in the logarithm.
std::vector<Point> random_points(std::size_t count) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Point> points(count);
  for (Point& point : points) {
    const double u = uniform(random);
    point = {50 * u * u * u, std::pow(10.0, -1 + 5 * uniform(random))};
  }
  return points;
}

TEST(Sigmoid, MatchesTheDefinitionAndItsLimits) {
  for (double x = -30; x <= 30; x += 0.37) {
    EXPECT_NEAR(sigmoid(x) * (1 + std::exp(-x)), 1, 1e-15);
    EXPECT_NEAR(log_sigmoid(x), -std::log1p(std::exp(-x)), 1e-14);
  }
  EXPECT_EQ(sigmoid(-1e4), 0);
  EXPECT_EQ(sigmoid(1e4), 1);
  EXPECT_EQ(log_sigmoid(-1e4), -1e4);
  EXPECT_EQ(log_sigmoid(-1e300), -1e300);
  EXPECT_EQ(log_sigmoid(1e300), 0);
  EXPECT_NEAR(log_sigmoid(700) / -std::exp(-700), 1, 1e-12);
}

TEST(ExpectedLogSigmoid, MatchesStoredDigits) {
  Moments worst{};
  for (const Digits& d : digits) {
    if (d.mean < -50) continue;
    const Moments got = moments(d.mean, d.variance);
    worst.value = std::max(worst.value, std::abs(got.value - d.value));
    worst.slope = std::max(worst.slope, std::abs(got.slope - d.slope));
    worst.curvature = std::max(worst.curvature, std::abs(got.curvature - d.curvature));
  }
  EXPECT_LT(worst.value, 4e-10);
  EXPECT_LT(worst.slope, 2e-10);
  EXPECT_LT(worst.curvature, 4e-10);
}

TEST(ExpectedLogSigmoid, MatchesBruteForceAtRandomPoints) {
  for (const Point& point : random_points(60)) {
    if (point.variance > 1e3) continue;  // the brute force itself loses digits on wide normals
    const Moments got = moments(point.mean, point.variance);
    const auto slope = [](double f) { return sigmoid(-f); };
    const auto curvature = [](double f) { return -sigmoid(f) * sigmoid(-f); };
    EXPECT_NEAR(got.value, brute_force(point.mean, point.variance, log_sigmoid), 1e-9);
    EXPECT_NEAR(got.slope, brute_force(point.mean, point.variance, slope), 1e-9);
    EXPECT_NEAR(got.curvature, brute_force(point.mean, point.variance, curvature), 1e-9);
  }
}

TEST(ExpectedLogSigmoid, ZeroVarianceIsThePlainFunction) {
  for (double m = -50; m <= 50; m += 0.173) {
    const Moments got = moments(m, 0);
    EXPECT_NEAR(got.value, log_sigmoid(m), 3e-10) << m;
    EXPECT_NEAR(got.slope, sigmoid(-m), 3e-10) << m;
    EXPECT_NEAR(got.curvature, -sigmoid(m) * sigmoid(-m), 3e-10) << m;
  }
}

// Differences of the function itself: the tolerance is that of the difference, not of the approximation.
TEST(ExpectedLogSigmoid, DerivativesMatchCentralDifferences) {
  for (const Point& point : random_points(400)) {
    const auto [m, v] = point;
    const Moments here = moments(m, v);
    const double h = 1e-3 * std::sqrt(1 + v);
    const double h_v = 1e-3 * std::min(v, 1 + v / 8);
    // Fourth order: (8 (f(+h) - f(-h)) - (f(+2h) - f(-2h))) / 12 h
    const auto difference = [](double a1, double b1, double a2, double b2, double step) {
      return (8 * (a1 - b1) - (a2 - b2)) / (12 * step);
    };
    const Moments a1 = moments(m + h, v), b1 = moments(m - h, v);
    const Moments a2 = moments(m + 2 * h, v), b2 = moments(m - 2 * h, v);
    const double rounding = 1e-15 * (1 + std::abs(here.value)) / h;
    EXPECT_NEAR(difference(a1.value, b1.value, a2.value, b2.value, h), here.slope, 1e-11 + 4 * rounding);
    EXPECT_NEAR(difference(a1.slope, b1.slope, a2.slope, b2.slope, h), here.curvature, 1e-11);
    const double by_variance = difference(moments(m, v + h_v).value, moments(m, v - h_v).value,
                                          moments(m, v + 2 * h_v).value, moments(m, v - 2 * h_v).value, h_v);
    EXPECT_NEAR(by_variance, here.curvature / 2, 1e-10 + 4e-15 * (1 + std::abs(here.value)) / h_v);
  }
}

TEST(ExpectedLogSigmoid, SymmetryInTheMean) {
  for (const Point& point : random_points(1000)) {
    const Moments plus = moments(point.mean, point.variance);
    const Moments minus = moments(-point.mean, point.variance);
    EXPECT_NEAR(plus.value - minus.value, point.mean, 1e-14 * (1 + std::abs(plus.value)));
    EXPECT_NEAR(plus.slope + minus.slope, 1, 1e-15);
    EXPECT_EQ(plus.curvature, minus.curvature);
  }
}

TEST(ExpectedLogSigmoid, SignsAndFiniteNumbersForAnyInput) {
  for (double magnitude : {0.0, 1e-300, 1e-3, 1.0, 40.0, 1e3, 1e10, 1e100, 1e200, 1e300}) {
    for (double variance : {0.0, 1e-300, 1.0, 1e5, 1e100, 1e200, 1e300}) {
      for (double mean : {magnitude, -magnitude}) {
        const Moments got = moments(mean, variance);
        EXPECT_TRUE(std::isfinite(got.value)) << mean << ' ' << variance;
        EXPECT_LE(got.value, std::min(mean, 0.0)) << mean << ' ' << variance;  // Jensen
        EXPECT_TRUE(got.slope >= 0 && got.slope <= 1) << mean << ' ' << variance;
        EXPECT_TRUE(got.curvature <= 0 && got.curvature >= -0.25 - 1e-9) << mean << ' ' << variance;
      }
    }
  }
}

TEST(ExpectedLogSigmoid, ResultsDoNotDependOnTheLengthOrTheOverload) {
  const std::size_t longest = 300;
  const std::vector<Point> points = random_points(longest);
  std::vector<double> mean(longest), variance(longest);
  for (std::size_t i = 0; i < longest; ++i) mean[i] = points[i].mean, variance[i] = points[i].variance;
  std::vector<double> value(longest), slope(longest), curvature(longest), only(longest);
  expected_log_sigmoid(mean.data(), variance.data(), longest, value.data(), slope.data(), curvature.data());
  expected_log_sigmoid(mean.data(), variance.data(), longest, only.data());
  for (std::size_t i = 0; i < longest; ++i) {
    EXPECT_NEAR(only[i], value[i], 1e-14 * (1 + std::abs(value[i])));
    const Moments alone = moments(mean[i], variance[i]);
    EXPECT_NEAR(alone.value, value[i], 1e-14 * (1 + std::abs(value[i])));
    EXPECT_NEAR(alone.slope, slope[i], 1e-15);
    EXPECT_NEAR(alone.curvature, curvature[i], 1e-15);
  }
  for (std::size_t count : {0, 1, 3, 127, 128, 129}) {
    std::vector<double> a(count + 1, 7), b(count + 1, 7), c(count + 1, 7);
    expected_log_sigmoid(mean.data(), variance.data(), count, a.data(), b.data(), c.data());
    EXPECT_TRUE(a[count] == 7 && b[count] == 7 && c[count] == 7) << count;
  }
}

TEST(ExpectedSigmoid, MatchesStoredDigitsIncludingDeepTails) {
  for (const Digits& d : digits) {
    const double tolerance = 1e-12 + 1e-14 * std::abs(d.log_probability);
    EXPECT_NEAR(log_expected_sigmoid(d.mean, d.variance), d.log_probability, tolerance)
        << d.mean << ' ' << d.variance;
    EXPECT_NEAR(expected_sigmoid(d.mean, d.variance), std::exp(d.log_probability), 1e-13);
    if (d.log_probability > -700) {
      EXPECT_NEAR(expected_sigmoid(d.mean, d.variance) / std::exp(d.log_probability), 1, 1e-11);
    }
  }
}

TEST(ExpectedSigmoid, MatchesTheMixtureAndBruteForce) {
  for (const Point& point : random_points(300)) {
    const double p = expected_sigmoid(point.mean, point.variance);
    EXPECT_NEAR(p, moments(-point.mean, point.variance).slope, 2e-10) << point.mean << ' ' << point.variance;
    if (point.variance < 1e3) {
      EXPECT_NEAR(p, brute_force(point.mean, point.variance, sigmoid), 1e-12);
    }
  }
}

TEST(ExpectedSigmoid, IsSymmetricAndExactAtZeroVariance) {
  for (const Point& point : random_points(300)) {
    const double plus = expected_sigmoid(point.mean, point.variance);
    EXPECT_NEAR(plus + expected_sigmoid(-point.mean, point.variance), 1, 2e-16);
  }
  for (double m = -700; m <= 700; m += 3.7) {
    EXPECT_NEAR(expected_sigmoid(m, 0) / sigmoid(m), 1, 1e-12) << m;
    EXPECT_NEAR(log_expected_sigmoid(m, 0), log_sigmoid(m), 1e-13 + 1e-15 * std::abs(m)) << m;
  }
}

TEST(ExpectedSigmoid, IncreasesWithTheMeanAcrossEveryFormulaChange) {
  for (double variance : {0.0, 0.1, 0.999, 1.0, 1.001, 7.0, 100.0, 1e4, 1e8, 1e300}) {
    const double scale = 3 * std::sqrt(1 + variance) + variance;
    double last = -std::numeric_limits<double>::infinity();
    for (int i = -2000; i <= 2000; ++i) {
      const double now = log_expected_sigmoid(scale * i / 1000, variance);
      EXPECT_GE(now, last - 1e-12 * (1 + std::abs(last))) << variance << ' ' << i;
      last = now;
    }
  }
}

// The step is far below the mean's scale but far above rounding, so a jump where formulas meet would show.
TEST(ExpectedSigmoid, NoJumpWhereFormulasMeet) {
  for (double m : {-40.0, -6.0, -0.3, 0.0, 0.4, 9.0}) {
    EXPECT_NEAR(log_expected_sigmoid(m, 1.0), log_expected_sigmoid(m, 1.0 + 1e-13), 1e-11) << m;
  }
  for (double v : {1.5, 10.0, 200.0, 1e4}) {
    for (double m : {-v, -v / 2, 0.0}) {
      const double nudge = 1e-13 * v;
      EXPECT_NEAR(log_expected_sigmoid(m - nudge, v), log_expected_sigmoid(m + nudge, v), 1e-11 * (1 + v))
          << m;
    }
  }
}

TEST(ExpectedSigmoid, WithinZeroAndOneForAnyInput) {
  for (double magnitude : {0.0, 1e-300, 1e-3, 1.0, 40.0, 1e3, 1e10, 1e100, 1e200, 1e308}) {
    for (double variance : {0.0, 1e-300, 1e-5, 1.0, 1.1, 1e5, 1e100, 1e200, 1e300}) {
      for (double mean : {magnitude, -magnitude}) {
        const double p = expected_sigmoid(mean, variance);
        EXPECT_TRUE(p >= 0 && p <= 1) << mean << ' ' << variance;
        const double log_p = log_expected_sigmoid(mean, variance);
        EXPECT_TRUE(std::isfinite(log_p) && log_p <= 0) << mean << ' ' << variance << ' ' << log_p;
      }
    }
  }
}

}  // namespace
}  // namespace induce
