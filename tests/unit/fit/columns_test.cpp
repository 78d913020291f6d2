// Fits of tables with categories and gaps. Oracles: invariances, the base rate, and the effects that made the labels.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <induce/fit.hpp>
#include <induce/metrics.hpp>

namespace induce {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct MixedTable {
  std::vector<double> X;
  std::vector<int> y;
  std::vector<double> truth;  // probability of the second of two classes
  Names names;
  std::size_t d = 3;

  TableView view() const { return {X.data(), y.size(), d}; }
};

// The logit depends on the level of "city", on "age", and on whether "age" is missing. "noise" means nothing.
MixedTable made_table(std::size_t n, unsigned seed, int classes = 2) {
  MixedTable table;
  table.names.features = {"city", "age", "noise"};
  table.names.columns = {{ColumnKind::category, {"Bonn", "Kiel", "Trier", "Ulm"}}, {}, {}};
  if (classes == 3) table.names.classes = {"a", "b", "c"};
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  constexpr double of_city[] = {-1.5, 2, 0, 0.5};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t city = i % 4;
    const bool missing = uniform(random) < 0.15;
    const double age = normal(random);
    const double logit = of_city[city] + (missing ? -2 : 1.5 * std::sin(2 * age));
    table.X.insert(table.X.end(), {double(city), missing ? none : 40 + 10 * age, normal(random)});
    table.truth.push_back(1 / (1 + std::exp(-logit)));
    int label = uniform(random) < table.truth.back() ? 1 : 0;
    if (classes == 3 && uniform(random) < (city == 3 ? 0.6 : 0.1)) label = 2;
    table.y.push_back(label);
  }
  return table;
}

double nll_of(const Model& model, const MixedTable& test) {
  const Prediction prediction = model.predict(test.view());
  return evaluate(prediction.probabilities, test.y, model.classes()).nll;
}

Options quick() {
  Options options;
  options.inducing = 30;
  options.kernel = "se";
  options.warp = Warp::none;
  return options;
}

TEST(MixedFit, LearnsLevelsAndWhatAGapMeans) {
  const MixedTable train = made_table(1500, 1), test = made_table(2000, 2);
  const Fit done = fit(train.view(), train.y, {}, {}, train.names);
  EXPECT_LT(nll_of(done.model, test), evaluate(test.truth, test.y).nll + 0.015);
  const Explanation* explanation = done.model.explanation();
  ASSERT_TRUE(explanation);
  const Effect& city = explanation->effects[0];
  ASSERT_EQ(city.values, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_LT(city.upper[0], city.lower[2]);
  EXPECT_GT(city.lower[1], city.upper[3]);
  ASSERT_EQ(explanation->effects[1].missing_mean.size(), 1u);
  EXPECT_LT(explanation->effects[1].missing_upper[0], -0.5);
  EXPECT_TRUE(city.missing_mean.empty());
  EXPECT_GT(explanation->importance[0].total, 0.2);
  EXPECT_LT(explanation->importance[2].total, 0.05);
}

TEST(MixedFit, OrderOfColumnsRowsAndThreadsDoNotChangeABit) {
  const MixedTable table = made_table(600, 3);
  MixedTable turned = table;
  turned.X.clear();
  turned.y.clear();
  turned.names.features = {"noise", "city", "age"};
  turned.names.columns = {{}, table.names.columns[0], {}};
  for (std::size_t i = table.y.size(); i-- > 0;) {
    const double* row = table.view().row(i);
    turned.X.insert(turned.X.end(), {row[2], row[0], row[1]});
    turned.y.push_back(table.y[i]);
  }
  Options one = quick(), two = quick();
  one.threads = 1;
  two.threads = 2;
  const Fit a = fit(table.view(), table.y, one, {}, table.names),
            b = fit(turned.view(), turned.y, two, {}, turned.names);
  const std::vector<double> of_a = a.model.predict(table.view()).probabilities_of(1);
  std::vector<double> of_b = b.model.predict(turned.view()).probabilities_of(1);
  std::reverse(of_b.begin(), of_b.end());
  EXPECT_EQ(of_a, of_b);
  EXPECT_EQ(a.report.bound, b.report.bound);
  // Training has no gap in "city" and "noise": typical values take their place.
  const double row[] = {none, 40, none}, turned_row[] = {none, none, 40};
  EXPECT_EQ(a.model.predict({row, 1, 3}).probabilities, b.model.predict({turned_row, 1, 3}).probabilities);
}

TEST(MixedFit, ARowWithoutAnyValueIsNearTheBaseRateAndUncertain) {
  const MixedTable table = made_table(1200, 4);
  const Fit done = fit(table.view(), table.y, quick(), {}, table.names);
  double rate = 0;
  for (const int label : table.y) rate += label;
  rate /= static_cast<double>(table.y.size());
  const std::vector<double> nothing(3, none);
  EXPECT_EQ(done.model.rows_with_new_gaps({nothing.data(), 1, 3}), 1u);
  const Prediction of_nothing = done.model.predict({nothing.data(), 1, 3}),
                   of_rows = done.model.predict(table.view());
  EXPECT_NEAR(of_nothing.probability(0, 1), rate, 0.06);
  std::vector<double> variances = of_rows.variance;
  std::sort(variances.begin(), variances.end());
  EXPECT_GT(of_nothing.variance[0], 3 * variances[variances.size() / 2]);
}

TEST(MixedFit, ATableOfNumbersTakesGapsLater) {
  const MixedTable table = made_table(400, 5);
  std::vector<double> numbers;  // only the last column, twice
  for (std::size_t i = 0; i < table.y.size(); ++i)
    numbers.insert(numbers.end(), {table.view().row(i)[2], double(i % 7)});
  const Fit done = fit({numbers.data(), table.y.size(), 2}, table.y, quick());
  const std::vector<double> row{none, 3};
  EXPECT_EQ(done.model.rows_with_new_gaps({row.data(), 1, 2}), 1u);
  const double p = done.model.predict({row.data(), 1, 2}).probability(0, 1);
  EXPECT_GT(p, 0.2);
  EXPECT_LT(p, 0.8);
}

TEST(MixedFit, ManyClassesAndUnseenLevels) {
  MixedTable train = made_table(900, 6, 3), test = made_table(900, 7, 3);
  const Fit done = fit(train.view(), train.y, quick(), {}, train.names);
  EXPECT_LT(nll_of(done.model, test), 0.85);                          // of the base rates: about 1.05
  for (std::size_t i = 0; i < test.y.size(); ++i) test.X[3 * i] = 9;  // a level that is not listed
  EXPECT_LT(nll_of(done.model, test), 1.2);
}

TEST(MixedFit, ResumesToTheSameBits) {
  const MixedTable table = made_table(500, 8);
  const std::string path = ::testing::TempDir() + "/induce-mixed.checkpoint";
  const Fit whole = fit(table.view(), table.y, quick(), {}, table.names);
  Options stopped = quick();
  stopped.checkpoint = path;
  stopped.max_iter = 7;
  fit(table.view(), table.y, stopped, {}, table.names);
  Options resumed = quick();
  resumed.resume = path;
  const Fit rest = fit(table.view(), table.y, resumed, {}, table.names);
  EXPECT_EQ(rest.model.to_bytes(), whole.model.to_bytes());
  Names other = table.names;
  other.columns[0].levels[3] = "Worms";
  EXPECT_THROW(fit(table.view(), table.y, resumed, {}, other), Error);
}

TEST(MixedFit, RefusesWhatIsNoLevel) {
  MixedTable table = made_table(40, 9);
  table.X[0] = 1.5;
  EXPECT_THROW(fit(table.view(), table.y, quick(), {}, table.names), Error);
  table.X[0] = -1;
  EXPECT_THROW(fit(table.view(), table.y, quick(), {}, table.names), Error);
  table.X[0] = 0;
  table.X[1] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(fit(table.view(), table.y, quick(), {}, table.names), Error);
  table.X[1] = 0;
  std::swap(table.names.columns[0].levels[0], table.names.columns[0].levels[1]);
  EXPECT_THROW(fit(table.view(), table.y, quick(), {}, table.names), Error);
}

}  // namespace
}  // namespace induce
