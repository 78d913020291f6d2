// Expectations of the probit likelihood. Oracles: stored 20-digit integrals (probit_digits.inc, made by
// make_probit_digits.py), a brute-force trapezoid rule, central differences, exact identities, and the slow
// twin (support/naive.hpp).
#include "likelihood/probit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "support/naive.hpp"

namespace induce {
namespace {

struct ProbitDigits {
  double mean, variance, value, slope, curvature, log_probability;
};

constexpr ProbitDigits probit_digits[] = {
#include "probit_digits.inc"
};

struct ProbitMoments {
  double value, slope, curvature;
};

ProbitMoments probit_moments(double mean, double variance) {
  ProbitMoments out;
  expected_log_normal_cdf(&mean, &variance, 1, &out.value, &out.slope, &out.curvature);
  return out;
}

// l, l', l'' by the C library. Left of -5 by Mills' ratio R, 1/R = u + 1/(u + 2/(u + 3/...)) with u = -f, and
// l'' = -l' (l' - u), where l' - u is the fraction without its first term: nothing cancels.
ProbitMoments plain(double f) {
  if (f < -5) {
    const double u = -f;
    double fraction = u;
    for (int j = 200; j > 1; --j) fraction = u + j / fraction;
    const double slope = u + 1 / fraction;
    return {-0.5 * u * u - 0.5 * std::log(2 * std::numbers::pi) - std::log(slope), slope, -slope / fraction};
  }
  const double Phi = 0.5 * std::erfc(-f / std::numbers::sqrt2);
  const double slope = std::exp(-0.5 * f * f) / std::sqrt(2 * std::numbers::pi) / Phi;
  return {f > 0 ? std::log1p(-0.5 * std::erfc(f / std::numbers::sqrt2)) : std::log(Phi), slope,
          -slope * (slope + f)};
}

// The three expectations by the trapezoid rule over +-10 standard deviations, with 8,001 nodes.
ProbitMoments trapezoid(double mean, double variance) {
  const int half = 4'000;
  const double step = 10.0 / half;
  ProbitMoments total{};
  for (int j = -half; j <= half; ++j) {
    const double t = step * j;
    const double weight = std::exp(-0.5 * t * t) * step / std::sqrt(2 * std::numbers::pi);
    const ProbitMoments at = plain(mean + std::sqrt(variance) * t);
    total.value += weight * at.value;
    total.slope += weight * at.slope;
    total.curvature += weight * at.curvature;
  }
  return total;
}

// The accuracy guaranteed by probit.hpp.
void expect_within(const ProbitMoments& got, const ProbitMoments& want, double mean, double variance) {
  EXPECT_NEAR(got.value, want.value, 3e-10 * std::max(1.0, -want.value)) << mean << ' ' << variance;
  EXPECT_NEAR(got.slope, want.slope, 3e-10 * std::max(1.0, want.slope)) << mean << ' ' << variance;
  EXPECT_NEAR(got.curvature, want.curvature, 3e-10 * std::max(1.0, want.slope)) << mean << ' ' << variance;
}

struct ProbitPoint {
  double mean, variance;
};

// Means in [-50, 50], denser near 0; variances in [1e-6, 1600], uniform in the logarithm.
std::vector<ProbitPoint> probit_points(std::size_t count) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<ProbitPoint> points(count);
  for (ProbitPoint& point : points) {
    const double u = uniform(random);
    point = {50 * u * u * u, std::pow(10.0, -1.4 + 4.6 * uniform(random))};
  }
  return points;
}

TEST(NormalCdf, MatchesTheComplementaryErrorFunction) {
  for (double x = -37; x <= 9; x += 0.0137) {
    const double want = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    EXPECT_NEAR(normal_cdf(x) / want, 1, 2e-15 + 3e-16 * x * x) << x;  // x^2 is rounded
    if (x < 0) {
      EXPECT_NEAR(log_normal_cdf(x) / std::log(want), 1, 2e-15) << x;
    }
    EXPECT_EQ(normal_cdf(x) + normal_cdf(-x), 1) << x;
  }
}

TEST(NormalCdf, MatchesStoredDigitsInBothTails) {
  for (const ProbitDigits& d : probit_digits) {
    if (d.variance != 0) continue;
    EXPECT_NEAR(log_normal_cdf(d.mean), d.log_probability, 1e-13 * std::abs(d.log_probability)) << d.mean;
  }
}

TEST(NormalCdf, Limits) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(log_normal_cdf(0), std::log(0.5), 1e-15);
  EXPECT_NEAR(normal_cdf(0), 0.5, 1e-15);
  for (double x : {50.0, 1e10, 1e200, infinity}) {
    EXPECT_EQ(normal_cdf(-x), 0);
    EXPECT_EQ(normal_cdf(x), 1);
    EXPECT_EQ(log_normal_cdf(x), 0);
  }
  EXPECT_EQ(log_normal_cdf(-1e100), -0.5e200);
  EXPECT_EQ(log_normal_cdf(-infinity), -infinity);
}

TEST(ExpectedLogNormalCdf, MatchesStoredDigits) {
  for (const ProbitDigits& d : probit_digits) {
    expect_within(probit_moments(d.mean, d.variance), {d.value, d.slope, d.curvature}, d.mean, d.variance);
  }
}

TEST(ExpectedLogNormalCdf, MatchesBruteForceAtRandomPoints) {
  for (const auto& [m, v] : probit_points(60)) expect_within(probit_moments(m, v), trapezoid(m, v), m, v);
}

TEST(ExpectedLogNormalCdf, MatchesTheTwin) {
  const naive::Likelihood& p = naive::likelihood_named("probit");
  for (const auto& [m, v] : probit_points(60)) {
    const ProbitMoments want{naive::gaussian_expectation(p.l, m, v), naive::gaussian_expectation(p.dl, m, v),
                             naive::gaussian_expectation(p.ddl, m, v)};
    expect_within(probit_moments(m, v), want, m, v);
  }
}

TEST(ExpectedLogNormalCdf, ZeroVarianceIsThePlainFunction) {
  for (double m = -50; m <= 50; m += 0.0173) expect_within(probit_moments(m, 0), plain(m), m, 0);
  for (double m = -51; m > -1e9; m *= 1.07) expect_within(probit_moments(m, 0), plain(m), m, 0);
}

// Differences of the function itself: the tolerance is that of the difference, not of the approximation.
TEST(ExpectedLogNormalCdf, DerivativesMatchCentralDifferences) {
  for (const auto& [m, v] : probit_points(400)) {
    const ProbitMoments here = probit_moments(m, v);
    const double h = 1e-3 * std::sqrt(1 + v);
    const double h_v = 1e-3 * std::min(v, 1 + v / 8);
    // Fourth order: (8 (f(+h) - f(-h)) - (f(+2h) - f(-2h))) / 12 h
    const auto difference = [](double a1, double b1, double a2, double b2, double step) {
      return (8 * (a1 - b1) - (a2 - b2)) / (12 * step);
    };
    const ProbitMoments a1 = probit_moments(m + h, v), b1 = probit_moments(m - h, v);
    const ProbitMoments a2 = probit_moments(m + 2 * h, v), b2 = probit_moments(m - 2 * h, v);
    EXPECT_NEAR(difference(a1.value, b1.value, a2.value, b2.value, h), here.slope,
                1e-11 + 4e-15 * (1 - here.value) / h);
    EXPECT_NEAR(difference(a1.slope, b1.slope, a2.slope, b2.slope, h), here.curvature,
                1e-11 + 4e-15 * (1 + here.slope) / h);
    const double by_variance =
        difference(probit_moments(m, v + h_v).value, probit_moments(m, v - h_v).value,
                   probit_moments(m, v + 2 * h_v).value, probit_moments(m, v - 2 * h_v).value, h_v);
    EXPECT_NEAR(by_variance, here.curvature / 2, 1e-10 + 4e-15 * (1 - here.value) / h_v);
  }
}

// log Phi(f) + log Phi(-f) = log(Phi(f) (1 - Phi(f))) is even, and l'(f) Phi(f) = phi(f) is too.
TEST(ExpectedLogNormalCdf, EvenCombinationsAtZeroVariance) {
  for (double m = 0; m <= 6; m += 0.01) {
    const ProbitMoments plus = probit_moments(m, 0), minus = probit_moments(-m, 0);
    const double p = normal_cdf(m), q = normal_cdf(-m);
    EXPECT_NEAR(plus.value + minus.value, std::log(p * q), 6e-10 * (1 - minus.value));
    EXPECT_NEAR(plus.slope * p, minus.slope * q, 6e-10);
  }
}

TEST(ExpectedLogNormalCdf, SignsAndNumbersForAnyInput) {
  for (double magnitude : {0.0, 1e-300, 1e-3, 1.0, 40.0, 1e3, 1e6, 1e10, 1e100, 1e150, 1e200, 1e300}) {
    for (double variance : {0.0, 1e-300, 1e-12, 1.0, 1e4, 1e8, 1e100, 1e200, 1e300}) {
      for (double mean : {magnitude, -magnitude}) {
        const ProbitMoments got = probit_moments(mean, variance);
        EXPECT_LE(got.value, 0) << mean << ' ' << variance;  // false for NaN, as all below
        EXPECT_TRUE(mean < -1e150 || std::isfinite(got.value)) << mean << ' ' << variance;
        EXPECT_TRUE(got.slope >= 0 && std::isfinite(got.slope)) << mean << ' ' << variance;
        EXPECT_TRUE(got.curvature <= 0 && got.curvature >= -1) << mean << ' ' << variance;
        double only;
        expected_log_normal_cdf(&mean, &variance, 1, &only);
        EXPECT_LE(only, 0) << mean << ' ' << variance;
      }
    }
  }
}

// For wide normals l is -min(f, 0)^2/2 up to a logarithm, with closed-form expectations.
TEST(ExpectedLogNormalCdf, WideNormalsMatchAHalfParabola) {
  for (double variance : {1e10, 1e14, 1e200}) {
    const double S = std::sqrt(variance);
    for (double z : {-5.0, -1.0, 0.0, 0.3, 2.0}) {  // mean / S
      const double P = normal_cdf(-z), p = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
      const ProbitMoments got = probit_moments(z * S, variance);
      EXPECT_NEAR(got.value / variance, -0.5 * ((1 + z * z) * P - z * p), 1e-8) << z;
      EXPECT_NEAR(got.slope / S, p - z * P, 1e-8) << z;
      EXPECT_NEAR(got.curvature, -P, 1e-8) << z;
    }
  }
}

TEST(ExpectedLogNormalCdf, ResultsDoNotDependOnTheLengthOrTheOverload) {
  const std::size_t longest = 300;
  const std::vector<ProbitPoint> points = probit_points(longest);
  std::vector<double> mean(longest), variance(longest);
  for (std::size_t i = 0; i < longest; ++i) mean[i] = points[i].mean, variance[i] = points[i].variance;
  std::vector<double> value(longest), slope(longest), curvature(longest), only(mean), in_place(mean);
  expected_log_normal_cdf(mean.data(), variance.data(), longest, value.data(), slope.data(),
                          curvature.data());
  expected_log_normal_cdf(only.data(), variance.data(), longest, only.data());
  expected_log_normal_cdf(in_place.data(), variance.data(), longest, in_place.data(), slope.data(),
                          curvature.data());
  EXPECT_EQ(in_place, value);
  for (std::size_t i = 0; i < longest; ++i) {
    EXPECT_NEAR(only[i], value[i], 1e-14 * (1 - value[i]));
    const ProbitMoments alone = probit_moments(mean[i], variance[i]);
    EXPECT_NEAR(alone.value, value[i], 1e-14 * (1 - value[i]));
    EXPECT_NEAR(alone.slope, slope[i], 1e-14 * (1 + slope[i]));
    EXPECT_NEAR(alone.curvature, curvature[i], 1e-14);
  }
  for (std::size_t count : {0, 1, 3, 127, 128, 129}) {
    std::vector<double> a(count + 1, 7), b(count + 1, 7), c(count + 1, 7);
    expected_log_normal_cdf(mean.data(), variance.data(), count, a.data(), b.data(), c.data());
    EXPECT_TRUE(a[count] == 7 && b[count] == 7 && c[count] == 7) << count;
  }
}

TEST(ExpectedNormalCdf, MatchesStoredDigitsIncludingDeepTails) {
  for (const ProbitDigits& d : probit_digits) {
    EXPECT_NEAR(log_expected_normal_cdf(d.mean, d.variance), d.log_probability,
                3e-13 * std::abs(d.log_probability))
        << d.mean << ' ' << d.variance;
    if (d.log_probability > -700) {
      EXPECT_NEAR(expected_normal_cdf(d.mean, d.variance) / std::exp(d.log_probability), 1, 3e-13);
    }
  }
}

TEST(ExpectedNormalCdf, MatchesBruteForceAndIsSymmetric) {
  for (const auto& [m, v] : probit_points(100)) {
    const double p = expected_normal_cdf(m, v);
    EXPECT_EQ(p + expected_normal_cdf(-m, v), 1);
    double want = 0;
    for (int j = -2'000; j <= 2'000; ++j) {
      const double t = 5e-3 * j;
      want += std::exp(-0.5 * t * t) * normal_cdf(m + std::sqrt(v) * t);
    }
    EXPECT_NEAR(p, want * 5e-3 / std::sqrt(2 * std::numbers::pi), 1e-13) << m << ' ' << v;
  }
}

TEST(ExpectedNormalCdf, WithinZeroAndOneForAnyInput) {
  for (double magnitude : {0.0, 1e-300, 1.0, 40.0, 1e6, 1e100, 1e200, 1e308}) {
    for (double variance : {0.0, 1e-300, 1e-12, 1.0, 1e4, 1e8, 1e300}) {
      for (double mean : {magnitude, -magnitude}) {
        const double p = expected_normal_cdf(mean, variance);
        EXPECT_TRUE(p >= 0 && p <= 1) << mean << ' ' << variance;
        EXPECT_LE(log_expected_normal_cdf(mean, variance), 0) << mean << ' ' << variance;
      }
    }
  }
}

}  // namespace
}  // namespace induce
