// The doubt of a fitted model. Oracles: identities of the entropy, known probabilities, rows from elsewhere.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/doubt.hpp>
#include <induce/error.hpp>
#include <induce/fit.hpp>
#include <induce/metrics.hpp>

#include "linalg/random.hpp"

namespace induce::testing {
namespace {

double true_p(double a, double b) { return 1 / (1 + std::exp(-1.5 * std::sin(a) - b)); }

struct KnownTable {
  KnownTable(std::size_t rows, unsigned seed, double shift = 0) {
    Random random(seed);
    for (std::size_t i = 0; i < rows; ++i) {
      x.insert(x.end(), {random.normal() + shift, random.normal() - shift});
      p.push_back(true_p(x[2 * i], x[2 * i + 1]));
      y.push_back(random.uniform() < p[i]);
    }
  }
  TableView view() const { return {x.data(), y.size(), 2}; }
  std::vector<double> x, p;
  std::vector<int> y;
};

Fit some_fit(const std::string& kernel = "se") {
  const KnownTable train(800, 1);
  Options options;
  options.kernel = kernel;
  options.threads = 1;
  return fit(train.view(), train.y, options);
}

TEST(DoubtOfModels, PartsAddUpAndRangesCoverKnownProbabilities) {
  const Model model = some_fit().model;
  const KnownTable test(2000, 2);
  const Prediction predicted = model.predict(test.view());
  const Doubt found = doubt(model, predicted);
  double covered = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    const double p = predicted.probability(i, 1);
    EXPECT_NEAR(found.noise[i] + found.knowledge[i], -p * std::log(p) - (1 - p) * std::log(1 - p), 1e-12);
    EXPECT_GE(found.noise[i], 0);
    EXPECT_GE(found.knowledge[i], 0);
    EXPECT_LE(found.low[2 * i + 1], p);
    EXPECT_GE(found.high[2 * i + 1], p);
    EXPECT_DOUBLE_EQ(found.low[2 * i], 1 - found.high[2 * i + 1]);
    covered += found.low[2 * i + 1] <= test.p[i] && test.p[i] <= found.high[2 * i + 1] ? 1 : 0;
  }
  EXPECT_GT(covered / 2000, 0.88);
}

TEST(DoubtOfModels, RowsFromElsewhereAreNew) {
  const KnownTable near(500, 3), far(500, 4, 6);
  for (const char* kernel : {"se", "se+mains"}) {
    SCOPED_TRACE(kernel);
    const Model model = some_fit(kernel).model;
    std::vector<double> all = novelty(model, near.view());
    const std::vector<double> more = novelty(model, far.view());
    all.insert(all.end(), more.begin(), more.end());
    std::vector<int> is_far(1000, 0);
    for (std::size_t i = 500; i < 1000; ++i) is_far[i] = 1;
    EXPECT_GE(*std::min_element(all.begin(), all.end()), 0);
    EXPECT_LE(*std::max_element(all.begin(), all.end()), 1);
    EXPECT_GT(evaluate(all, is_far).auc, 0.95);
  }
  const std::vector<double> terms_only = novelty(some_fit("mains").model, far.view());
  EXPECT_EQ(*std::max_element(terms_only.begin(), terms_only.end()), 0);
}

TEST(ClassSets, AreTheSmallestWithEnoughProbability) {
  const std::vector<double> p{0.7, 0.2, 0.1, 0.3, 0.4, 0.3, 0.96, 0.04, 0};
  EXPECT_EQ(class_sets(p, 3, 0.1), (std::vector<char>{1, 1, 0, 1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(class_sets(p, 3, 0.5), (std::vector<char>{1, 0, 0, 1, 1, 0, 1, 0, 0}));
  EXPECT_THROW(class_sets(p, 3, 0), Error);
  EXPECT_THROW(class_sets(p, 3, 1), Error);
}

}  // namespace
}  // namespace induce::testing
