// Whole fits of few rows, for the sanitizers: every method, kind of column and way to hold rows. What they find is tested by
// tests/unit/fit with tables large enough to show it. Oracle: the model before it was stored, and the fit in one process.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include <induce/explain.hpp>
#include <induce/fit.hpp>

#include "fit/fit_shards.hpp"
#include "shard/near_shards.hpp"
#include "linalg/random.hpp"
#include "train/methods.hpp"

namespace induce::testing {
namespace {

// A number with gaps, a number, and a category.
struct SmallRows {
  explicit SmallRows(int classes, int n = 60) {
    Random random(2);
    names.features = {"age", "size", "job"};
    names.columns = {{ColumnKind::number, {}},
                     {ColumnKind::number, {}},
                     {ColumnKind::category, {"clerk", "cook", "smith"}}};
    names.classes.clear();
    for (int c = 0; c < classes; ++c) names.classes.push_back(std::string(1, static_cast<char>('a' + c)));
    for (int i = 0; i < n; ++i) {
      const double a = random.normal(), b = std::exp(random.normal()), job = i % 3;
      x.insert(x.end(), {i % 9 == 4 ? NAN : a, b, job});
      y.push_back(i < classes ? i : static_cast<int>(std::abs(2 * a + job)) % classes);
      weight.push_back(i % 7 == 0 ? 0.5 : 1);
    }
  }
  TableView view() const { return {x.data(), y.size(), 3}; }
  std::vector<double> x, weight;
  std::vector<int> y;
  Names names;
};

Options small_options(Method method = Method::automatic) {
  Options options;
  options.method = method;
  options.max_iter = 6;
  options.threads = 2;
  return options;
}

void expect_sound(const Fit& done, const SmallRows& rows) {
  const Prediction prediction = done.model.predict(rows.view(), 2);
  for (const double p : prediction.probabilities) ASSERT_TRUE(p >= 0 && p <= 1);
  const Model again = Model::from_bytes(done.model.to_bytes());
  EXPECT_EQ(again.predict(rows.view(), 1).probabilities, prediction.probabilities);
  for (const Importance& share : explain(again, rows.view(), rows.weight).importance)
    EXPECT_LE(share.total, 1);
}

TEST(SmallFits, EveryMethod) {
  const SmallRows rows(2);
  for (const MethodTraits& row : methods) {
    SCOPED_TRACE(std::string(row.name));
    expect_sound(fit(rows.view(), rows.y, small_options(row.method), rows.weight, rows.names), rows);
  }
}

TEST(SmallFits, ThreeClasses) {
  const SmallRows rows(3);
  expect_sound(fit(rows.view(), rows.y, small_options(), rows.weight, rows.names), rows);
}

TEST(SmallFits, Probit) {
  const SmallRows rows(2);
  Options options = small_options();
  options.likelihood = "probit";
  options.kernel = "matern32+mains";
  expect_sound(fit(rows.view(), rows.y, options, {}, rows.names), rows);
}

TEST(SmallFits, LargeTablesAndShards) {
  for (const Method method : {Method::automatic, Method::vi_jj_tight}) {
    const SmallRows rows(2, 1100);
    Options options = small_options(method);
    options.inducing = 4;
    options.sample_rows = 1000;
    options.max_iter = 3;
    const Fit here = fit(rows.view(), rows.y, options, rows.weight, rows.names);
    expect_sound(here, rows);
    NearShards near(2);
    EXPECT_TRUE(fit_shards(near, rows.view(), rows.y, options, rows.weight, rows.names).model.to_bytes() ==
                here.model.to_bytes());
  }
}

TEST(SmallFits, ResumedFit) {
  const SmallRows rows(2);
  const std::string state = ::testing::TempDir() + "small_fits." + std::to_string(::getpid());
  Options options = small_options();
  options.max_iter = 20;
  const std::string want = fit(rows.view(), rows.y, options, {}, rows.names).model.to_bytes();
  Options first = options;
  first.checkpoint = state;
  first.on_iteration = [](const Progress& now) {
    EXPECT_EQ(now.model().names().features[0], "age");
    return now.iteration < 12;
  };
  fit(rows.view(), rows.y, first, {}, rows.names);
  options.resume = state;
  EXPECT_TRUE(fit(rows.view(), rows.y, options, {}, rows.names).model.to_bytes() == want);
  std::remove(state.c_str());
}

TEST(SmallFits, SparseTable) {
  constexpr std::size_t columns = 1500;
  Random random(3);
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  std::vector<int> y;
  for (int i = 0; i < 60; ++i) {
    y.push_back(i % 2);
    for (std::int32_t c = i % 2; c < 1500; c += 100 + static_cast<std::int32_t>(random.below(200))) {
      column.push_back(c);
      value.push_back(1 + random.uniform());
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
  }
  const SparseView table{60, columns, start.data(), column.data(), value.data()};
  const Model model = fit(table, y, small_options()).model;
  EXPECT_TRUE(model.sparse());
  for (const double p : model.predict(table).probabilities) ASSERT_TRUE(p >= 0 && p <= 1);
}

}  // namespace
}  // namespace induce::testing
