// Expectations of the softmax likelihood. Oracles: stored 17-digit integrals (softmax_digits.inc, made by
// make_softmax_digits.py), central differences, the logistic likelihood, and exact identities.
#include "likelihood/softmax.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "likelihood/logistic.hpp"

namespace induce {
namespace {

constexpr double softmax_digits[] = {
#include "softmax_digits.inc"
};

struct SoftmaxMoments {
  double log_sum;
  std::vector<double> p, w;
};

SoftmaxMoments softmax_moments(const std::vector<double>& m, const std::vector<double>& S2) {
  const auto C = static_cast<Index>(m.size());
  SoftmaxMoments out{0, std::vector<double>(m.size()), std::vector<double>(m.size())};
  std::vector<double> workspace(static_cast<std::size_t>(softmax_workspace(C)));
  softmax_expectations(m.data(), S2.data(), C, workspace.data(), out.log_sum, out.p.data(), out.w.data());
  return out;
}

std::vector<double> squares(std::vector<double> s) {
  for (double& x : s) x *= x;
  return s;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= out)) out = std::abs(a[i] - b[i]);  // NaN counts
  }
  return out;
}

struct SoftmaxCase {
  std::vector<double> m, S2;
};

// C = 2 .. 40; means within `width`; deviations about `s`, or mixed from 0.01 to 40 if s = 0.
std::vector<SoftmaxCase> random_cases(std::size_t count, double width, double s) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<SoftmaxCase> out(count);
  for (SoftmaxCase& one : out) {
    const auto C = static_cast<std::size_t>(2 + std::pow(6.2, 1 + uniform(random)));
    for (std::size_t c = 0; c < C; ++c) {
      const double deviation =
          s > 0 ? s * (1 + 0.3 * uniform(random)) : 0.632 * std::pow(63.2, uniform(random));
      one.m.push_back(width * uniform(random));
      one.S2.push_back(deviation * deviation);
    }
  }
  return out;
}

TEST(Softmax, MatchesStoredDigits) {
  double worst_log_sum = 0, worst_p = 0, worst_w = 0;
  std::size_t cases = 0;
  for (const double* at = std::begin(softmax_digits); at != std::end(softmax_digits); ++cases) {
    const auto C = static_cast<std::size_t>(*at++);
    const auto next = [&](std::size_t n) {
      at += n;
      return std::vector<double>(at - n, at);
    };
    const std::vector<double> m = next(C), s = next(C);
    const double log_sum = *at++;
    const std::vector<double> p = next(C), w = next(C);
    const SoftmaxMoments got = softmax_moments(m, squares(s));
    worst_log_sum =
        std::max(worst_log_sum, std::abs(got.log_sum - log_sum) / std::max(1.0, std::abs(log_sum)));
    worst_p = std::max(worst_p, largest_difference(got.p, p));
    worst_w = std::max(worst_w, largest_difference(got.w, w));
  }
  EXPECT_GT(cases, 60u);
  EXPECT_LT(worst_log_sum, 2e-10);
  EXPECT_LT(worst_p, 5e-10);
  EXPECT_LT(worst_w, 5e-10);
}

// Oracle: the definition.
TEST(Softmax, ZeroVarianceIsThePlainSoftmax) {
  for (const SoftmaxCase& one : random_cases(200, 10, 1)) {
    const SoftmaxMoments got = softmax_moments(one.m, std::vector<double>(one.m.size(), 0.0));
    double sum = 0;
    for (double m : one.m) sum += std::exp(m);
    EXPECT_NEAR(got.log_sum, std::log(sum), 1e-10);
    for (std::size_t c = 0; c < one.m.size(); ++c) {
      const double p = std::exp(one.m[c]) / sum;
      EXPECT_NEAR(got.p[c], p, 1e-10);
      EXPECT_NEAR(got.w[c], p * (1 - p), 5e-10);
    }
  }
}

// Oracle: the logistic likelihood of f_1 - f_0, another method.
TEST(Softmax, TwoClassesAreTheLogistic) {
  for (double m : {-30.0, -3.0, -0.2, 0.0, 1.0, 7.0}) {
    for (double s_0 : {0.0, 0.3, 1.0, 4.0, 20.0}) {
      for (double s_1 : {0.0, 0.1, 2.0, 15.0}) {
        const SoftmaxMoments got = softmax_moments({0.4, m + 0.4}, {s_0 * s_0, s_1 * s_1});
        const double S2 = s_0 * s_0 + s_1 * s_1;
        double value, slope, curvature;  // of log sigma(f_1 - f_0) = f_1 - log sum, within 3e-10
        expected_log_sigmoid(&m, &S2, 1, &value, &slope, &curvature);
        EXPECT_NEAR(got.p[1], expected_sigmoid(m, S2), 5e-10) << m << ' ' << s_0 << ' ' << s_1;
        EXPECT_NEAR(got.log_sum, m + 0.4 - value, 8e-10);
        EXPECT_NEAR(got.w[0], -curvature, 8e-10);
        EXPECT_NEAR(got.w[1], -curvature, 8e-10);
      }
    }
  }
}

TEST(Softmax, ProbabilitiesAddUpToOneAndTheFunctionsAgree) {
  for (double s : {0.0, 0.2, 1.0, 3.0, 30.0}) {
    for (const SoftmaxCase& one : random_cases(100, 20, s)) {
      const auto C = static_cast<Index>(one.m.size());
      const SoftmaxMoments got = softmax_moments(one.m, one.S2);
      EXPECT_NEAR(std::accumulate(got.p.begin(), got.p.end(), 0.0), 1, 1e-13);
      std::vector<double> workspace(static_cast<std::size_t>(softmax_workspace(C))), p(one.m.size());
      softmax_probabilities(one.m.data(), one.S2.data(), C, workspace.data(), p.data());
      EXPECT_LT(largest_difference(p, got.p), 1e-13);
      EXPECT_NEAR(expected_log_sum_exp(one.m.data(), one.S2.data(), C, workspace.data()), got.log_sum,
                  1e-13 * (1 + std::abs(got.log_sum)));
      for (std::size_t c = 0; c < one.m.size(); ++c) {
        EXPECT_GE(got.p[c], 0);
        EXPECT_GE(got.w[c], 0);
        EXPECT_LE(got.w[c], got.p[c] * (1 - got.p[c]) + 5e-10);  // Jensen
      }
    }
  }
}

// Fourth-order central differences of the functions themselves.
TEST(Softmax, DerivativesMatchCentralDifferences) {
  const auto difference = [](double a1, double b1, double a2, double b2, double step) {
    return (8 * (a1 - b1) - (a2 - b2)) / (12 * step);
  };
  for (double s : {0.0, 0.5, 2.0, 8.0}) {
    for (const SoftmaxCase& one : random_cases(25, 5, s)) {
      const SoftmaxMoments here = softmax_moments(one.m, one.S2);
      for (std::size_t c = 0; c < std::min<std::size_t>(one.m.size(), 4); ++c) {
        const double h = 0.03, h_v = 0.03 * std::min(one.S2[c], std::sqrt(one.S2[c]));
        const auto moved = [&](double by_m, double by_S2) {
          SoftmaxCase other = one;
          other.m[c] += by_m;
          other.S2[c] += by_S2;
          return softmax_moments(other.m, other.S2);
        };
        const SoftmaxMoments a1 = moved(h, 0), b1 = moved(-h, 0), a2 = moved(2 * h, 0), b2 = moved(-2 * h, 0);
        EXPECT_NEAR(difference(a1.log_sum, b1.log_sum, a2.log_sum, b2.log_sum, h), here.p[c], 2e-8);
        EXPECT_NEAR(difference(a1.p[c], b1.p[c], a2.p[c], b2.p[c], h), here.w[c], 1e-7);
        const double by_S2 = difference(moved(0, h_v).log_sum, moved(0, -h_v).log_sum,
                                        moved(0, 2 * h_v).log_sum, moved(0, -2 * h_v).log_sum, h_v);
        EXPECT_NEAR(by_S2, here.w[c] / 2, 1e-7 + 2e-10 / h_v);
      }
    }
  }
}

TEST(Softmax, PermutedClassesGivePermutedResults) {
  for (const SoftmaxCase& one : random_cases(200, 8, 0)) {
    const SoftmaxMoments straight = softmax_moments(one.m, one.S2);
    const SoftmaxMoments got =
        softmax_moments({one.m.rbegin(), one.m.rend()}, {one.S2.rbegin(), one.S2.rend()});
    EXPECT_NEAR(got.log_sum, straight.log_sum, 1e-12 * (1 + std::abs(got.log_sum)));
    EXPECT_LT(largest_difference({got.p.rbegin(), got.p.rend()}, straight.p), 1e-12);
    EXPECT_LT(largest_difference({got.w.rbegin(), got.w.rend()}, straight.w), 1e-12);
  }
}

// The nodes do not move with the means, so this compares other positions between them.
TEST(Softmax, ShiftOfAllMeans) {
  for (const SoftmaxCase& one : random_cases(200, 8, 0)) {
    const SoftmaxMoments here = softmax_moments(one.m, one.S2);
    for (double shift : {0.1, -0.77, 13.3, -2000.0, 1e6}) {
      std::vector<double> m = one.m;
      for (double& x : m) x += shift;
      const SoftmaxMoments got = softmax_moments(m, one.S2);
      EXPECT_NEAR(got.log_sum, here.log_sum + shift,
                  1e-9 * std::max(1.0, std::abs(here.log_sum)) + 1e-15 * std::abs(shift));
      EXPECT_LT(largest_difference(got.p, here.p), 1e-9);
      EXPECT_LT(largest_difference(got.w, here.w), 1e-9);
    }
  }
}

// Oracles: equal classes have p = 1/C; classes without noise can be taken together.
TEST(Softmax, ThousandClasses) {
  for (double s : {0.0, 0.3, 1.0, 3.0, 10.0, 40.0}) {
    const SoftmaxMoments got =
        softmax_moments(std::vector<double>(1000, 1.7), std::vector<double>(1000, s * s));
    for (std::size_t c = 0; c < 1000; ++c) EXPECT_NEAR(got.p[c], 1e-3, 1e-12);
    if (s == 0) {
      EXPECT_NEAR(got.log_sum, 1.7 + std::log(1000.0), 1e-9);
    }
  }
  std::vector<double> m(1000, 0.0), S2(1000, 0.0);
  m[3] = 5;
  S2[3] = 1.44;
  const SoftmaxMoments got = softmax_moments(m, S2);
  const SoftmaxMoments two = softmax_moments({std::log(999.0), 5}, {0, 1.44});
  EXPECT_NEAR(got.log_sum, two.log_sum, 2e-9);
  EXPECT_NEAR(got.p[3], two.p[1], 1e-9);
  EXPECT_NEAR(got.w[3], two.w[1], 1e-9);
  EXPECT_NEAR(got.p[0] * 999, two.p[0], 1e-9);
}

// Oracles: limits; for large deviations log sum exp is the maximum.
TEST(Softmax, ExtremeArgumentsAreFinite) {
  for (double width : {0.0, 1.0, 1e3, 1e6, 1e12, 1e300}) {
    for (double S2 : {0.0, 1e-300, 1.0, 1e4, 1e8, 1e12, 1e300}) {
      const SoftmaxMoments got =
          softmax_moments({width, -width, 0.5 * width, width}, {S2, 0.7 * S2, S2, 0.5 * S2});
      EXPECT_TRUE(std::isfinite(got.log_sum)) << width << ' ' << S2;
      for (std::size_t c = 0; c < 4; ++c) {
        EXPECT_TRUE(got.p[c] >= 0 && got.p[c] <= 1) << width << ' ' << S2 << ' ' << got.p[c];
        EXPECT_TRUE(got.w[c] >= 0 && got.w[c] <= 0.25 + 1e-9) << width << ' ' << S2 << ' ' << got.w[c];
      }
    }
  }
  const SoftmaxMoments equal = softmax_moments({3, 3, 3}, {1e8, 1e8, 1e8});
  for (double p : equal.p) EXPECT_NEAR(p, 1.0 / 3, 1e-9);
  // The maximum of three standard normals has the mean 3 / (2 sqrt(pi)); log sum exp is larger by about 1/s.
  EXPECT_NEAR((equal.log_sum - 3) / 1e4, 1.5 / std::sqrt(std::numbers::pi), 1e-7);
}

TEST(Softmax, NotANumberIsPassedOn) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(softmax_moments({0, bad, 1}, {1, 1, 1}).log_sum));
    EXPECT_TRUE(std::isnan(softmax_moments({0, 2, 1}, {1, bad, 1}).p[0]));
  }
}

// Oracle: one thread.
TEST(Softmax, ThreadsGiveTheSameBits) {
  const std::vector<SoftmaxCase> cases = random_cases(50, 5, 1);
  std::vector<double> first(cases.size()), second(cases.size());
  const auto run = [&](std::vector<double>& out) {
    for (std::size_t i = 0; i < cases.size(); ++i) out[i] = softmax_moments(cases[i].m, cases[i].S2).log_sum;
  };
  std::thread one(run, std::ref(first)), other(run, std::ref(second));
  one.join();
  other.join();
  std::vector<double> alone(cases.size());
  run(alone);
  EXPECT_EQ(first, alone);
  EXPECT_EQ(second, alone);
}

}  // namespace
}  // namespace induce
