// explain() and the explanation that a fit stores in its model. Oracle: the process that generated the data, and bitwise
// identity where it is promised.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <induce/error.hpp>
#include <induce/explain.hpp>
#include <induce/fit.hpp>

#include "linalg/random.hpp"

namespace induce::testing {
namespace {

constexpr std::size_t features = 5;

struct MadeTable {
  std::vector<double> x;
  std::vector<int> y;
  TableView view() const { return {x.data(), y.size(), features}; }
};

// Logit 2.5 sin 2x0 + 1.5 x1 x2; x3 is noise, x4 is constant.
MadeTable made_table(std::size_t n) {
  Random random(5);
  MadeTable made;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x(features);
    for (double& each : x) each = random.normal();
    x[4] = 3;
    made.x.insert(made.x.end(), x.begin(), x.end());
    made.y.push_back(random.uniform() < 1 / (1 + std::exp(-2.5 * std::sin(2 * x[0]) - 1.5 * x[1] * x[2])));
  }
  return made;
}

Options quick_options() {
  Options options;
  options.inducing = 60;
  options.threads = 1;
  options.kernel = "se";  // no trials of other models
  options.warp = Warp::none;
  return options;
}

bool same_explanation(const Explanation& a, const Explanation& b) {
  for (std::size_t f = 0; f < features; ++f)
    if (a.effects[f].values != b.effects[f].values || a.effects[f].mean != b.effects[f].mean ||
        a.effects[f].lower != b.effects[f].lower || a.importance[f].main != b.importance[f].main ||
        a.importance[f].total != b.importance[f].total)
      return false;
  return a.effects.size() == b.effects.size();
}

class OfAFit : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    table = new MadeTable(made_table(2500));
    result = new Fit(fit(table->view(), table->y, quick_options()));
  }
  static void TearDownTestSuite() {
    delete result;
    delete table;
  }
  static MadeTable* table;
  static Fit* result;
};
MadeTable* OfAFit::table = nullptr;
Fit* OfAFit::result = nullptr;

TEST_F(OfAFit, FindsMainEffectsInteractionsAndNoise) {
  const std::vector<Importance>& share = result->report.importance;
  ASSERT_EQ(share.size(), features);
  EXPECT_GT(share[0].main, 0.4);  // the variance of 2.5 sin 2x0 is 3.1, that of 1.5 x1 x2 is 2.2
  EXPECT_NEAR(share[0].main, share[0].total, 0.08);
  for (const std::size_t f : {1, 2}) {
    EXPECT_LT(share[f].main, 0.05);
    EXPECT_GT(share[f].total, 0.2);
    EXPECT_GT(share[f].total, 10 * share[3].total);
  }
  EXPECT_LT(share[3].total, 0.03);
  EXPECT_EQ(share[4].main, 0);
  EXPECT_EQ(share[4].total, 0);
}

TEST_F(OfAFit, CurveCoversTheTrueFunction) {
  const Effect& effect = result->model.explanation()->effects[0];
  ASSERT_EQ(effect.values.size(), 41u);
  int covered = 0;
  for (std::size_t g = 0; g < 41; ++g) {
    const double truth = 2.5 * std::sin(2 * effect.values[g]);  // its mean is 0
    covered += truth >= effect.lower[g] - 0.2 && truth <= effect.upper[g] + 0.2;
    EXPECT_LT(effect.lower[g], effect.upper[g]);
  }
  EXPECT_GE(covered, 34);
  const Effect& constant = result->model.explanation()->effects[4];
  EXPECT_EQ(constant.values, std::vector<double>{3});
  EXPECT_EQ(constant.mean, std::vector<double>{0});
}

TEST_F(OfAFit, IsStoredInTheModel) {
  const Explanation* stored = result->model.explanation();
  ASSERT_TRUE(stored);
  for (std::size_t f = 0; f < features; ++f)
    EXPECT_EQ(stored->importance[f].total, result->report.importance[f].total);
  const Model again = Model::from_bytes(result->model.to_bytes());
  ASSERT_TRUE(again.explanation());
  EXPECT_TRUE(same_explanation(*stored, *again.explanation()));
}

TEST_F(OfAFit, DoesNotDependOnThreads) {
  Options options = quick_options();
  options.threads = 3;
  const Fit other = fit(table->view(), table->y, options);
  EXPECT_TRUE(same_explanation(*result->model.explanation(), *other.model.explanation()));
  EXPECT_TRUE(same_explanation(explain(result->model, table->view(), {}, 1),
                               explain(result->model, table->view(), {}, 4)));
}

TEST_F(OfAFit, DoesNotDependOnTheOrderOfRows) {
  MadeTable turned;
  for (std::size_t i = table->y.size(); i-- > 0;)
    turned.x.insert(turned.x.end(), table->view().row(i), table->view().row(i) + features);
  turned.y.resize(table->y.size());
  EXPECT_TRUE(same_explanation(explain(result->model, table->view()), explain(result->model, turned.view())));
}

TEST_F(OfAFit, AWeightOfTwoIsTwoRows) {
  const TableView few{table->x.data(), 300, features}, once{table->x.data(), 200, features};
  std::vector<double> twice(table->x.begin(), table->x.begin() + 200 * features);
  twice.insert(twice.end(), twice.begin(), twice.begin() + 100 * features);
  std::vector<double> weights(200, 1);
  std::fill_n(weights.begin(), 100, 2);
  EXPECT_TRUE(same_explanation(explain(result->model, once, weights),
                               explain(result->model, {twice.data(), few.n, features})));
}

TEST_F(OfAFit, RejectsRowsThatCannotBeExplained) {
  const auto refused = [&](TableView rows, std::span<const double> weights = {}) {
    EXPECT_THROW(explain(result->model, rows, weights), Error);
  };
  refused({table->x.data(), 0, features});
  refused({table->x.data(), 10, features - 1});
  const std::vector<double> zero(10, 0.0), negative(10, -1.0);
  refused({table->x.data(), 10, features}, zero);
  refused({table->x.data(), 10, features}, negative);
  std::vector<double> broken(table->x.begin(), table->x.begin() + 2 * features);
  broken[3] = std::numeric_limits<double>::quiet_NaN();
  refused({broken.data(), 2, features});
  const Explanation one = explain(result->model, {table->x.data(), 1, features});  // nothing varies
  EXPECT_EQ(one.importance[0].total, 0);
}

TEST(Explanations, OnlyOfTheFinalModel) {
  const MadeTable table = made_table(300);
  Options options = quick_options();
  options.on_iteration = [](const Progress& progress) {
    EXPECT_FALSE(progress.model().explanation());
    return progress.iteration < 3;
  };
  const Fit stopped = fit(table.view(), table.y, options);
  EXPECT_EQ(stopped.report.status, Status::interrupted);
  EXPECT_TRUE(stopped.report.importance.empty());
  EXPECT_FALSE(stopped.model.explanation());
  EXPECT_FALSE(Model::from_bytes(stopped.model.to_bytes()).explanation());
}

// A feature of few values has these values as its grid, in the user's units to the last bit.
TEST(Explanations, KeepTheValuesOfAFeatureWithFewValues) {
  Random random(2);
  std::vector<double> x;
  std::vector<int> y;
  for (int i = 0; i < 400; ++i) {
    const double level = 0.1 + 0.7 * static_cast<double>(random.below(3));
    x.insert(x.end(), {level, random.normal()});
    y.push_back(random.uniform() < level / 2);
  }
  const Fit made = fit({x.data(), y.size(), 2}, y, quick_options());
  const Effect& effect = made.model.explanation()->effects[0];
  EXPECT_EQ(effect.values, (std::vector<double>{0.1, 0.1 + 0.7, 0.1 + 0.7 * 2}));
  EXPECT_LT(effect.mean[0], effect.mean[1]);
  EXPECT_LT(effect.mean[1], effect.mean[2]);
}

}  // namespace
}  // namespace induce::testing
