// Fits under another likelihood, end to end: which methods take it, what the model remembers. Oracles: the likelihood's
// own probability of the latent marginal; the paper's bounds refuse by name.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <induce/fit.hpp>

#include "likelihood/likelihood.hpp"
#include "linalg/random.hpp"
#include "train/methods.hpp"

namespace induce::testing {
namespace {

struct Wave {
  explicit Wave(std::size_t rows) : x(rows), y(rows) {
    Random random(3);
    for (std::size_t i = 0; i < rows; ++i) {
      x[i] = 3 * random.normal();
      y[i] = std::sin(x[i]) + 0.5 * random.normal() > 0;
    }
  }
  TableView view() const { return {x.data(), x.size(), 1}; }
  std::vector<double> x;
  std::vector<int> y;
};

Options with(Method method, const std::string& likelihood) {
  Options options;
  options.method = method;
  options.likelihood = likelihood;
  options.inducing = 15;
  options.max_iter = 30;
  return options;
}

TEST(LikelihoodOption, ProbitFitsWhereTheMethodTakesItAndIsRefusedByNameElsewhere) {
  const Wave data(300);
  for (const MethodTraits& row : methods) {
    SCOPED_TRACE(row.name);
    const bool able = row.rule != "jj";
    try {
      const Fit result = fit(data.view(), data.y, with(row.method, "probit"));
      EXPECT_TRUE(able);
      EXPECT_EQ(result.model.likelihood(), "probit");
      EXPECT_TRUE(std::isfinite(result.report.elbo));
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_FALSE(able) << text;
      EXPECT_EQ(error.fault(), Fault::usage);
      for (const std::string& part : {std::string("probit"), std::string(row.name), std::string("vi-newton")})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }
}

TEST(LikelihoodOption, PredictionsAreThoseOfTheLikelihoodAlsoAfterLoading) {
  const Wave data(300);
  for (const BinaryLikelihood* each : binary_likelihoods()) {
    const Model model = fit(data.view(), data.y, with(Method::automatic, std::string(each->name()))).model;
    const Prediction got = model.predict(data.view());
    for (std::size_t i = 0; i < data.x.size(); ++i)
      EXPECT_EQ(got.probability(i, 1), each->probability(got.mean[i], got.variance[i]));
    const Model loaded = Model::from_bytes(model.to_bytes());
    EXPECT_EQ(loaded.likelihood(), each->name());
    EXPECT_EQ(loaded.predict(data.view()).probabilities, got.probabilities);
  }
}

TEST(LikelihoodOption, AutoIsTheLogisticToTheBit) {
  const Wave data(300);
  const auto predict = [&](const char* name) {
    return fit(data.view(), data.y, with(Method::automatic, name)).model.predict(data.view()).probabilities;
  };
  EXPECT_EQ(predict("auto"), predict("logistic"));
  EXPECT_NE(predict("auto"), predict("probit"));
}

TEST(LikelihoodOption, UnknownNamesAreRefused) {
  const Wave data(50);
  EXPECT_THROW(fit(data.view(), data.y, with(Method::automatic, "cauchit")), Error);
}

// The sum of kernels travels the same way.
TEST(KernelOption, ASumIsFittedSavedAndLoaded) {
  const Wave data(300);
  Options options = with(Method::automatic, "auto");
  options.kernel = "se+matern12";
  const Fit result = fit(data.view(), data.y, options);
  EXPECT_EQ(result.report.theta.values("matern12.lengthscales").size(), 1u);
  EXPECT_GT(result.report.theta.scalar("matern12.signal_std"), 0);
  const Model loaded = Model::from_bytes(result.model.to_bytes());
  EXPECT_EQ(loaded.kernel(), "se+matern12");
  EXPECT_EQ(loaded.predict(data.view()).probabilities, result.model.predict(data.view()).probabilities);
}

}  // namespace
}  // namespace induce::testing
