// fit() on tables of classes that are hard in one way or another. Oracles: the process that generated the data (its true
// probabilities where it has any); valid probabilities everywhere.
#include <gtest/gtest.h>

#include <numeric>

#include "class_tables.hpp"

namespace induce::testing {
namespace {

// Probabilities in [0, 1] that add up to 1, finite latent marginals, a status other than failed.
void expect_valid(const Fit& done, const ClassTable& data) {
  EXPECT_NE(done.report.status, Status::failed) << done.report.message;
  EXPECT_TRUE(std::isfinite(done.report.bound));
  const Prediction got = done.model.predict(data.view());
  ASSERT_EQ(got.probabilities.size(), data.y.size() * data.classes);
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    double sum = 0;
    for (std::size_t k = i * data.classes; k < (i + 1) * data.classes; ++k) {
      ASSERT_TRUE(got.probabilities[k] >= 0 && got.probabilities[k] <= 1) << k;
      ASSERT_TRUE(std::isfinite(got.mean[k]) && got.variance[k] >= 0) << k;
      sum += got.probabilities[k];
    }
    ASSERT_NEAR(sum, 1, 1e-12) << i;
  }
}

TEST(ClassShapes, Separable) {
  const ClassTable data = clusters(90, 3, 0.1);
  const Fit done = data.fit(brief_options(20));
  expect_valid(done, data);
  EXPECT_EQ(data.metrics(done.model).accuracy, 1);
  EXPECT_LT(data.metrics(done.model).nll, 0.1);
}

// Nothing to learn: the least possible NLL is log 3, with a rate of a third each.
TEST(ClassShapes, LabelsOfPureNoise) {
  Random random(3);
  ClassTable data = clusters(600, 3, 1), fresh = clusters(600, 3, 1, 2);
  for (ClassTable* each : {&data, &fresh})
    for (int& label : each->y) label = static_cast<int>(random.below(3));
  const Fit done = data.fit(brief_options(30));
  expect_valid(done, data);
  EXPECT_NEAR(fresh.metrics(done.model).nll, std::log(3.0), 0.02);
}

TEST(ClassShapes, AClassWithOneRow) {
  ClassTable data = clusters(80, 2, 1);
  data.classes = 3;
  data.x.insert(data.x.end(), {0.0, 6.0});
  data.y.push_back(2);
  Options options;  // the model is chosen by held-out rows
  options.inducing = 15;
  options.max_iter = 40;
  const Fit done = data.fit(options);
  expect_valid(done, data);
  const Prediction got = done.model.predict(data.view());
  EXPECT_GT(got.probabilities[3 * 80 + 2], got.probabilities[2]) << "likelier there than at the first row";
}

TEST(ClassShapes, ThirtyClassesOfTenRows) {
#ifdef INDUCE_SANITIZED
  constexpr int classes = 12;
#else
  constexpr int classes = 30;
#endif
  const ClassTable data = clusters(10 * classes, classes, 0.1),
                   fresh = clusters(10 * classes, classes, 0.1, 2);
  const Fit done = data.fit(brief_options(40, 8));
  expect_valid(done, data);
  EXPECT_GT(fresh.metrics(done.model).accuracy, 0.9) << "neighbours are 6 deviations apart or more";
}

// The first evaluation of the bound is not cut short by max_time.
TEST(ClassShapes, AThousandClasses) {
#ifdef INDUCE_SANITIZED
  constexpr int classes = 200;
#else
  constexpr int classes = 1000;
#endif
  Random random(4);
  ClassTable data{{}, {}, 1, classes};
  for (int i = 0; i < 3 * classes; ++i) {
    data.y.push_back(i % classes);
    data.x.push_back(i % classes + 0.3 * random.normal());
  }
  Options options = brief_options(12);
  options.max_time = 1;
  const Fit done = data.fit(options);
  EXPECT_NE(done.report.status, Status::failed) << done.report.message;
  const ClassTable few{
      {data.x.begin(), data.x.begin() + 20}, {data.y.begin(), data.y.begin() + 20}, 1, classes};
  expect_valid(done, few);
  EXPECT_LT(few.metrics(done.model).nll, std::log(classes)) << "worse than no features at all";
}

// The same rows once with each label: every class has a third, everywhere.
TEST(ClassShapes, EqualRowsWithDifferentLabels) {
  const ClassTable once = clusters(30, 3, 1);
  ClassTable data{{}, {}, 2, 3};
  for (int label = 0; label < 3; ++label)
    for (std::size_t i = 0; i < 30; ++i) {
      data.x.insert(data.x.end(), once.x.begin() + 2 * i, once.x.begin() + 2 * i + 2);
      data.y.push_back(label);
    }
  const Fit done = data.fit(brief_options(10));
  expect_valid(done, data);
  for (const double p : done.model.predict(once.view()).probabilities) EXPECT_NEAR(p, 1.0 / 3, 1e-4);
}

TEST(ClassShapes, OneFeatureThatIsConstant) {
  ClassTable data{{}, {}, 1, 3};
  for (int i = 0; i < 30; ++i) {
    data.x.push_back(7);
    data.y.push_back(i % 5 == 0 ? 2 : i % 2);  // 12, 12 and 6 rows
  }
  const Fit done = data.fit({});
  expect_valid(done, data);
  const std::vector<double> p = done.model.predict(data.view()).probabilities;
  EXPECT_NEAR(p[0], 0.4, 0.05);
  EXPECT_NEAR(p[2], 0.2, 0.05);
}

// Logits linear in three features, so that no classifier has an expected NLL below that of the true probabilities.
TEST(ClassShapes, LinearLogits) {
  constexpr std::size_t classes = 4, d = 3;
  const double slope[classes][d] = {{1.5, 0, 0.5}, {-1, 1, 0}, {0, -1.5, -0.5}, {-0.5, 0.5, 1}};
  const double intercept[classes] = {0.5, 0, -0.5, 0};
  Random random(5);
  std::vector<double> truth;
  const auto draw = [&](std::size_t n) {
    ClassTable made{{}, {}, d, classes};
    truth.clear();
    for (std::size_t i = 0; i < n; ++i) {
      double x[d], p[classes], sum = 0;
      for (double& each : x) made.x.push_back(each = random.normal());
      for (std::size_t c = 0; c < classes; ++c)
        sum += p[c] = std::exp(intercept[c] + std::inner_product(x, x + d, slope[c], 0.0));
      double u = random.uniform() * sum;
      int label = 0;
      while (label < 3 && (u -= p[label]) > 0) ++label;
      made.y.push_back(label);
      for (const double each : p) truth.push_back(each / sum);
    }
    return made;
  };
  const ClassTable data = draw(1000), fresh = draw(2000);
  const Fit done = data.fit(brief_options(40, 60));
  expect_valid(done, data);
  const double best = evaluate(truth, fresh.y, classes).nll, got = fresh.metrics(done.model).nll;
  EXPECT_LT(got, best + 0.03);
  EXPECT_NEAR(done.report.leave_one_out->nll, got, 0.08);
}

}  // namespace
}  // namespace induce::testing
