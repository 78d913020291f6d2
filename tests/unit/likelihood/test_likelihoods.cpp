// Every likelihood of the table through the common interface. Oracles: the twin's brute-force integrals and
// central differences.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>

#include "likelihood/likelihood.hpp"
#include "support/naive.hpp"

namespace induce {
namespace {

struct Means {
  double value, slope, curvature;
};

Means means(const Likelihood& likelihood, double y, double m, double S2) {
  Means out;
  likelihood.expectations(&y, &m, &S2, 1, &out.value, &out.slope, &out.curvature);
  return out;
}

TEST(Likelihoods, ExpectationsMatchTheTwin) {
  for (const BinaryLikelihood* likelihood : binary_likelihoods()) {
    const naive::Likelihood twin = naive::likelihood_named(std::string(likelihood->name()));
    EXPECT_EQ(likelihood->latent_functions(), 1);
    for (const double y : {-1.0, 1.0})
      for (const double m : {-6.0, -1.3, 0.0, 0.4, 5.0})
        for (const double S2 : {0.01, 0.7, 9.0}) {
          SCOPED_TRACE(std::string(likelihood->name()) + ", y = " + std::to_string(y) +
                       ", m = " + std::to_string(m) + ", S2 = " + std::to_string(S2));
          const Means got = means(*likelihood, y, m, S2);
          const auto mean_of = [&](const auto& h) {
            return naive::gaussian_expectation([&](double f) { return h(y * f); }, m, S2);
          };
          EXPECT_NEAR(got.value, mean_of(twin.l), 2e-9 * (1 + std::fabs(got.value)));
          EXPECT_NEAR(got.slope, y * mean_of(twin.dl), 2e-9 * (1 + std::fabs(got.slope)));
          EXPECT_NEAR(got.curvature, mean_of(twin.ddl), 5e-9);
          double value = 0;
          likelihood->expected_log(&y, &m, &S2, 1, &value);
          EXPECT_NEAR(value, got.value, 1e-14 * (1 + std::fabs(value)));
          EXPECT_NEAR(likelihood->probability(m, S2), naive::gaussian_expectation(twin.P, m, S2), 1e-12);
        }
  }
}

TEST(Likelihoods, SlopeAndCurvatureAreDerivatives) {
  constexpr double h = 1e-4;
  for (const BinaryLikelihood* likelihood : binary_likelihoods())
    for (const double y : {-1.0, 1.0})
      for (const double m : {-3.0, 0.2, 2.0})
        for (const double S2 : {0.3, 4.0}) {
          const Means at = means(*likelihood, y, m, S2), up = means(*likelihood, y, m + h, S2),
                      down = means(*likelihood, y, m - h, S2), wide = means(*likelihood, y, m, S2 + h),
                      narrow = means(*likelihood, y, m, S2 - h);
          EXPECT_NEAR((up.value - down.value) / (2 * h), at.slope, 1e-7);
          EXPECT_NEAR((up.slope - down.slope) / (2 * h), at.curvature, 1e-7);
          EXPECT_NEAR((wide.value - narrow.value) / (2 * h), at.curvature / 2, 1e-7);
        }
}

TEST(Likelihoods, LatentOfIsTheInverseOfTheProbability) {
  for (const BinaryLikelihood* likelihood : binary_likelihoods())
    for (const double p : {1e-12, 1e-3, 0.2, 0.5, 0.7, 0.999, 1 - 1e-12})
      EXPECT_NEAR(likelihood->probability(likelihood->latent_of(p), 0), p, 1e-12 * p)
          << likelihood->name() << ", p = " << p;
}

TEST(Likelihoods, NamesAndRules) {
  EXPECT_EQ(likelihood("auto").name(), "logistic");
  EXPECT_TRUE(likelihood("logistic").supports("jj"));
  EXPECT_TRUE(likelihood("probit").supports("newton"));
  EXPECT_FALSE(likelihood("probit").supports("jj"));
  EXPECT_TRUE(likelihood("probit").supports("taylor"));
  try {
    likelihood("cauchit");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    EXPECT_NE(std::string(error.what()).find("logistic, probit"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace induce
