// Ranges of probabilities and expected entropies. Oracle: sampling from the marginals, within its error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "likelihood/likelihood.hpp"
#include "linalg/random.hpp"

namespace induce::testing {
namespace {

constexpr int kDraws = 100000;

double entropy(const std::vector<double>& p) {
  double sum = 0;
  for (const double each : p) sum -= each > 0 ? each * std::log(each) : 0;
  return sum;
}

struct Sampled {
  double entropy = 0;
  std::vector<double> low, high;  // by class
};

// `probabilities(f)` of all classes.
template <class Probabilities>
Sampled sample(const std::vector<double>& m, const std::vector<double>& S2, std::size_t classes,
               const Probabilities& probabilities) {
  Random random(1);
  std::vector<std::vector<double>> each(classes);
  Sampled found;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<double> f;
    for (std::size_t k = 0; k < m.size(); ++k) f.push_back(m[k] + std::sqrt(S2[k]) * random.normal());
    const std::vector<double> p = probabilities(f);
    found.entropy += entropy(p) / kDraws;
    for (std::size_t c = 0; c < classes; ++c) each[c].push_back(p[c]);
  }
  for (std::vector<double>& p : each) {
    std::sort(p.begin(), p.end());
    found.low.push_back(p[kDraws / 40]);
    found.high.push_back(p[kDraws - kDraws / 40]);
  }
  return found;
}

TEST(DoubtOfLikelihoods, TwoClassesAgreeWithSampling) {
  for (const BinaryLikelihood* likelihood : binary_likelihoods())
    for (const double m : {-3.0, 0.0, 0.7, 6.0})
      for (const double S2 : {0.0, 0.01, 1.0, 25.0}) {
        SCOPED_TRACE(std::string(likelihood->name()) + ", m = " + std::to_string(m) +
                     ", S2 = " + std::to_string(S2));
        const Sampled want = sample({m}, {S2}, 2, [&](const std::vector<double>& f) {
          const double p = likelihood->probability(f[0], 0);
          return std::vector<double>{1 - p, p};
        });
        double H = 0, low[2], high[2];
        likelihood->expected_entropy(&m, &S2, 1, &H);
        likelihood->probability_range(&m, &S2, nullptr, low, high);
        EXPECT_NEAR(H, want.entropy, 4e-3);
        for (std::size_t c = 0; c < 2; ++c) {
          EXPECT_NEAR(low[c], want.low[c], 0.01);
          EXPECT_NEAR(high[c], want.high[c], 0.01);
        }
      }
}

// Oracle: a much finer trapezoid rule.
TEST(DoubtOfLikelihoods, EntropyOfTwoClassesIsExact) {
  for (const BinaryLikelihood* likelihood : binary_likelihoods())
    for (const double m : {-2.0, 0.3})
      for (const double s : {0.1, 1.0, 7.0}) {
        double want = 0;
        constexpr double step = 1e-3;
        for (double z = -9; z <= 9; z += step) {
          const double p = likelihood->probability(m + s * z, 0);
          want += std::exp(-z * z / 2) / std::sqrt(2 * M_PI) * step * entropy({p, 1 - p});
        }
        double H = 0;
        const double S2 = s * s;
        likelihood->expected_entropy(&m, &S2, 1, &H);
        EXPECT_NEAR(H, want, 1e-5) << likelihood->name() << ", m = " << m << ", s = " << s;
      }
}

// Functions that grow with a column reach any size; then m + 1 is m. Nothing is left of the entropy if the deviation is as large.
TEST(DoubtOfLikelihoods, EndsForAnyMarginal) {
  std::vector<const Likelihood*> all(binary_likelihoods().begin(), binary_likelihoods().end());
  const auto ordered = likelihood("ordinal", 4).given(Vector{{-2, 0.5, 1}});
  all.push_back(ordered.get());
  for (const Likelihood* each : all)
    for (const double m : {0.0, 30.0, -1e9, 1e17, -1e38, 1e150})
      for (const double s : {0.0, 1e-20, 1.0, 1e9, 1e20, 1e38, 1e150}) {
        double H = -1;
        const double S2 = s * s;
        each->expected_entropy(&m, &S2, 1, &H);
        EXPECT_TRUE(H >= 0 && H <= 2) << m << ", " << s << ": " << H;
        if (s >= 1e9 && std::abs(m) <= s) {
          EXPECT_LE(H, 4 * std::log(2.0) / s * 10) << m << ", " << s;
        }
      }
}

TEST(DoubtOfLikelihoods, ManyClassesAgreeWithSampling) {
  Random random(7);
  for (int trial = 0; trial < 12; ++trial) {
    const std::size_t C = trial % 2 ? 3 : 6;
    std::vector<double> m, S2, p(C), low(C), high(C);
    for (std::size_t c = 0; c < C; ++c) {
      m.push_back(1.5 * random.normal());
      S2.push_back(std::exp(random.normal() - 0.5));
    }
    const Likelihood& softmax = likelihood("softmax", C);
    const Sampled want = sample(m, S2, C, [](const std::vector<double>& f) {
      std::vector<double> each;
      double sum = 0;
      for (const double x : f) sum += each.emplace_back(std::exp(x));
      for (double& x : each) x /= sum;
      return each;
    });
    softmax.probabilities(m.data(), S2.data(), 1, p.data());
    double H = 0;
    softmax.expected_entropy(m.data(), S2.data(), 1, &H);
    EXPECT_NEAR(H, want.entropy, 5e-3);
    softmax.probability_range(m.data(), S2.data(), p.data(), low.data(), high.data());
    for (std::size_t c = 0; c < C; ++c) {
      EXPECT_NEAR(low[c], want.low[c], 0.03) << trial << ", class " << c << ", p = " << p[c];
      EXPECT_NEAR(high[c], want.high[c], 0.04) << trial << ", class " << c << ", p = " << p[c];
    }
  }
}

// Rare classes whose functions are very uncertain; their ranges once were not numbers.
TEST(DoubtOfLikelihoods, RangesOfRareClassesAreThoseOfSampling) {
  const std::vector<double> m{30, 21, -55, 5.5}, S2{115, 114, 203, 131};
  const Likelihood& softmax = likelihood("softmax", 4);
  double p[4], low[4], high[4];
  softmax.probabilities(m.data(), S2.data(), 1, p);
  softmax.probability_range(m.data(), S2.data(), p, low, high);
  for (std::size_t c = 0; c < 4; ++c)
    EXPECT_TRUE(low[c] >= 0 && low[c] <= high[c] && high[c] <= 1) << c << ": " << low[c] << " " << high[c];
  EXPECT_GT(p[2], 1e-8);
  EXPECT_LT(high[2], 1e-6);  // less than one draw in forty is larger
  EXPECT_GT(high[0], 0.99);
  for (const double mean : {-5.0, -20.0, -100.0})
    for (const double s : {0.1, 3.0, 20.0, 49.0, 500.0}) {
      const std::vector<double> means{0, mean, 0}, variances{0.01, s * s, 0.01};
      likelihood("softmax", 3).probabilities(means.data(), variances.data(), 1, p);
      likelihood("softmax", 3).probability_range(means.data(), variances.data(), p, low, high);
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_TRUE(low[c] >= 0 && low[c] <= high[c] && high[c] <= 1)
            << mean << ", " << s << ", class " << c << ": " << low[c] << " " << high[c];
    }
}

}  // namespace
}  // namespace induce::testing
