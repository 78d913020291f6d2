// The likelihood of ordered classes. Oracles: integrals of its definition by the twin's trapezoid rule, central differences, the
// logistic likelihood, sampling.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <induce/error.hpp>

#include "likelihood/logistic.hpp"
#include "likelihood/ordinal_likelihood.hpp"
#include "likelihood/thresholds.hpp"
#include "linalg/random.hpp"
#include "support/naive.hpp"

namespace induce {
namespace {

const Vector kThresholds{{-1.5, -0.2, 0.4, 3.0}};
constexpr Index kClasses = 5;

std::shared_ptr<const Likelihood> ordinal(const Vector& b = kThresholds) {
  return likelihood("ordinal", static_cast<std::size_t>(b.size() + 1)).given(b);
}

// p(y = k | f) by its definition.
double p_of(const Vector& b, Index k, double f) {
  return (k < b.size() ? naive::sigmoid(b[k] - f) : 1) - (k > 0 ? naive::sigmoid(b[k - 1] - f) : 0);
}

struct OrdinalMoments {
  double value, slope, curvature;
};

OrdinalMoments moments_of(const Likelihood& of, double y, double m, double S2) {
  OrdinalMoments out;
  of.expectations(&y, &m, &S2, 1, &out.value, &out.slope, &out.curvature);
  return out;
}

TEST(Ordinal, ExpectationsAreIntegralsOfTheDefinition) {
  const auto of = ordinal();
  for (Index k = 0; k < kClasses; ++k)
    for (const double m : {-6.0, -1.3, 0.0, 0.4, 5.0})
      for (const double S2 : {0.01, 0.7, 9.0}) {
        const double want = naive::gaussian_expectation(
            [&](double f) {  // log p without cancellation
              const double upper = k < 4 ? naive::log_sigmoid(kThresholds[k] - f) : 0,
                           lower = k > 0 ? naive::log_sigmoid(f - kThresholds[k - 1]) : 0;
              return upper + lower +
                     (k > 0 && k < 4 ? std::log(1 - std::exp(kThresholds[k - 1] - kThresholds[k])) : 0);
            },
            m, S2);
        const OrdinalMoments got = moments_of(*of, static_cast<double>(k), m, S2);
        EXPECT_NEAR(got.value, want, 2e-9 * (1 + std::fabs(want))) << k << " " << m << " " << S2;
        const auto y = static_cast<double>(k);
        double value = 0;
        of->expected_log(&y, &m, &S2, 1, &value);
        EXPECT_NEAR(value, got.value, 1e-14 * (1 + std::fabs(value)));
      }
}

TEST(Ordinal, TheClosedFormOfItsLogarithmIsThatOfTheDefinition) {
  for (Index k = 0; k < kClasses; ++k)
    for (const double f : {-3.0, -0.4, 0.1, 2.0, 5.0})
      EXPECT_NEAR(moments_of(*ordinal(), static_cast<double>(k), f, 0).value,
                  std::log(p_of(kThresholds, k, f)), 1e-9);
}

TEST(Ordinal, SlopeAndCurvatureAreDerivatives) {
  constexpr double h = 1e-4;
  const auto of = ordinal();
  for (Index k = 0; k < kClasses; ++k)
    for (const double m : {-3.0, 0.2, 2.0})
      for (const double S2 : {0.3, 4.0}) {
        const auto y = static_cast<double>(k);
        const OrdinalMoments at = moments_of(*of, y, m, S2), up = moments_of(*of, y, m + h, S2),
                             down = moments_of(*of, y, m - h, S2), wide = moments_of(*of, y, m, S2 + h),
                             narrow = moments_of(*of, y, m, S2 - h);
        EXPECT_NEAR((up.value - down.value) / (2 * h), at.slope, 1e-7);
        EXPECT_NEAR((up.slope - down.slope) / (2 * h), at.curvature, 1e-7);
        EXPECT_NEAR((wide.value - narrow.value) / (2 * h), at.curvature / 2, 1e-7);
        EXPECT_LT(at.curvature, 0);
      }
}

TEST(Ordinal, ThresholdSlopesAreCentralDifferences) {
  const Index n = 200;  // more than one strip
  Random random(3);
  Vector y(n), m(n), S2(n), weight(n), value(n);
  for (Index i = 0; i < n; ++i) {
    y[i] = static_cast<double>(i % kClasses);
    m[i] = 2 * random.normal();
    S2[i] = std::exp(random.normal());
    weight[i] = 0.5 + std::fabs(random.normal());
  }
  Vector slopes = Vector::Zero(4);
  ordinal()->add_threshold_slopes(y.data(), m.data(), S2.data(), weight.data(), n, slopes.data());
  const auto sum = [&](const Vector& b) {
    ordinal(b)->expected_log(y.data(), m.data(), S2.data(), n, value.data());
    return weight.dot(value);
  };
  const Vector want = naive::central_difference(sum, kThresholds, 1e-3);
  for (Index k = 0; k < 4; ++k) EXPECT_NEAR(slopes[k], want[k], 1e-6 * (1 + std::fabs(want[k]))) << k;
  // In the variables of an optimizer.
  const Vector packed = packed_slopes(kThresholds, slopes),
               want_packed =
                   naive::central_difference([&](const Vector&x) { return sum(unpack_thresholds(x)); },
                                             pack_thresholds(kThresholds), 1e-3);
  for (Index k = 0; k < 4; ++k)
    EXPECT_NEAR(packed[k], want_packed[k], 1e-6 * (1 + std::fabs(want_packed[k]))) << k;
}

TEST(Thresholds, PriorOfGapsHasItsGradient) {
  const Vector x = pack_thresholds(kThresholds);
  EXPECT_LT((unpack_thresholds(x) - kThresholds).norm(), 1e-14);
  Vector gradient = Vector::Zero(4), unused(4);
  log_prior_of_gaps(kThresholds, gradient);
  const Vector want = naive::central_difference(
      [&](const Vector& at) { return log_prior_of_gaps(unpack_thresholds(at), unused); }, x, 1e-3);
  EXPECT_LT((gradient - want).norm(), 1e-9);
  EXPECT_TRUE(are_thresholds(kThresholds));
  EXPECT_FALSE(are_thresholds(Vector{{0, 0}}));
  EXPECT_FALSE(are_thresholds(Vector{{1, 0}}));
  EXPECT_FALSE(are_thresholds(Vector{{0, NAN}}));
  EXPECT_FALSE(are_thresholds(Vector{{-INFINITY, 0}}));
}

TEST(Ordinal, ProbabilitiesAreIntegralsAndAddUpTo1) {
  const auto of = ordinal();
  for (const double m : {-7.0, -1.0, 0.3, 2.0, 9.0})
    for (const double S2 : {1e-6, 0.5, 8.0}) {
      double p[kClasses], sum = 0;
      of->probabilities(&m, &S2, 1, p);
      for (Index k = 0; k < kClasses; ++k) {
        const double want =
            naive::gaussian_expectation([&](double f) { return p_of(kThresholds, k, f); }, m, S2);
        EXPECT_NEAR(p[k], want, 1e-12) << k << " " << m << " " << S2;
        sum += p[k];
      }
      EXPECT_NEAR(sum, 1, 1e-15);
    }
}

// Where f = m is known, p_k = sigma(b - m) sigma(m - b') (1 - e^-(b - b')), products without cancellation.
TEST(Ordinal, TailsKeepTheirDigits) {
  const double zero = 0;
  for (const double m : {-300.0, -40.0, 40.0, 300.0}) {
    double p[kClasses];
    ordinal()->probabilities(&m, &zero, 1, p);
    for (Index k = 1; k < 4; ++k) {
      const double want = sigmoid(kThresholds[k] - m) * sigmoid(m - kThresholds[k - 1]) *
                          -std::expm1(kThresholds[k - 1] - kThresholds[k]);
      EXPECT_NEAR(p[k], want, 1e-11 * want) << k << " " << m;
    }
  }
}

TEST(Ordinal, OneThresholdAtZeroIsTheLogisticLikelihood) {
  const OrdinalLikelihood two(2, Vector{{0}});
  const Likelihood& logistic = likelihood("logistic");
  for (const double m : {-2.0, 0.3, 4.0})
    for (const double label : {0.0, 1.0}) {
      const double S2 = 1.7, sign = 2 * label - 1;
      const OrdinalMoments got = moments_of(two, label, m, S2), want = moments_of(logistic, sign, m, S2);
      EXPECT_NEAR(got.value, want.value, 1e-14);
      EXPECT_NEAR(got.slope, want.slope, 1e-14);
      EXPECT_NEAR(got.curvature, want.curvature, 1e-14);
    }
  EXPECT_EQ(likelihood("ordinal", 2).name(), "logistic");
}

TEST(Ordinal, FirstThresholdsGiveTheRates) {
  const std::vector<double> rates{0.1, 0.5, 0.15, 0.25};
  const Vector b = likelihood("ordinal", 4).first_thresholds(rates);
  for (Index k = 0; k < 4; ++k) EXPECT_NEAR(p_of(b, k, 0), rates[static_cast<std::size_t>(k)], 1e-12);
  EXPECT_TRUE(are_thresholds(likelihood("ordinal", 4).first_thresholds({0, 0.5, 0, 0.5})));
  EXPECT_TRUE(are_thresholds(likelihood("ordinal", 3).first_thresholds({0, 0, 1})));
}

TEST(Ordinal, DoubtAgreesWithSampling) {
  const auto of = ordinal();
  constexpr int draws = 100000;
  for (const double m : {-3.0, 0.1, 1.5})
    for (const double S2 : {0.0, 0.3, 6.0}) {
      Random random(1);
      std::vector<std::vector<double>> p(kClasses);
      double H = 0, want = 0, low[kClasses], high[kClasses];
      for (int draw = 0; draw < draws; ++draw) {
        const double f = m + std::sqrt(S2) * random.normal();
        for (Index k = 0; k < kClasses; ++k) {
          const double each = p_of(kThresholds, k, f);
          p[static_cast<std::size_t>(k)].push_back(each);
          want -= each * std::log(each) / draws;
        }
      }
      of->expected_entropy(&m, &S2, 1, &H);
      EXPECT_NEAR(H, want, 0.01) << m << " " << S2;
      of->probability_range(&m, &S2, nullptr, low, high);
      for (std::size_t k = 0; k < kClasses; ++k) {
        std::sort(p[k].begin(), p[k].end());
        EXPECT_NEAR(low[k], p[k][draws / 40], 0.01) << k << " " << m << " " << S2;
        EXPECT_NEAR(high[k], p[k][draws - draws / 40 - 1], 0.01) << k << " " << m << " " << S2;
      }
    }
}

TEST(Ordinal, RulesAndNames) {
  const Likelihood& of = likelihood("ordinal", 3);
  EXPECT_EQ(of.latent_functions(), 1);
  EXPECT_EQ(of.classes(), 3);
  EXPECT_EQ(of.probabilities(), 3);
  EXPECT_TRUE(of.supports("newton"));
  EXPECT_TRUE(of.supports("taylor"));
  EXPECT_FALSE(of.supports("jj"));
  EXPECT_FALSE(of.weights_shift_the_mean());
}

}  // namespace
}  // namespace induce
