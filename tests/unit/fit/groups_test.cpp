// Rows that belong together. Oracle: persons that the fit has not seen. Each has a feature of their own and an effect that the
// feature does not explain, so a model can remember persons, and rows of a person tell about each other.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>
#include <induce/fit.hpp>
#include <induce/metrics.hpp>

#include "linalg/random.hpp"

namespace induce::testing {
namespace {

struct Panel {
  Panel(int persons, int rows_each, unsigned seed) {
    Random random(seed);
    for (int person = 0; person < persons; ++person) {
      const double age = random.normal(), effect = 2 * random.normal();
      for (int row = 0; row < rows_each; ++row) {
        const double b = random.normal();
        x.insert(x.end(), {age, b});
        y.push_back(effect + b + random.normal() > 0);
        group.push_back(person);
      }
    }
  }
  TableView view() const { return {x.data(), y.size(), 2}; }
  std::vector<double> x;
  std::vector<int> y, group;
};

Options of_panel() {
  Options options;
  options.threads = 1;
  return options;
}

TEST(Groups, WhatIsStatedHoldsForNewPersons) {
  const Panel train(100, 10, 1), test(400, 10, 2);
  const Fit random = fit(train.view(), train.y, of_panel());
  const Fit grouped = fit(train.view(), train.y, of_panel(), {}, {}, {train.group});
  const auto on_new = [&](const Fit& of) {
    return evaluate(of.model.predict(test.view()).probabilities_of(1), test.y).nll;
  };
  ASSERT_TRUE(random.report.cross_validation && grouped.report.cross_validation);
  EXPECT_LT(random.report.cross_validation->nll, on_new(random) - 0.05);  // too good
  EXPECT_NEAR(grouped.report.cross_validation->nll, on_new(grouped), 0.05);
  EXPECT_NEAR(grouped.report.leave_one_out->nll, on_new(grouped), 0.08);
  EXPECT_EQ(random.report.held_out_by, "rows");
  EXPECT_EQ(grouped.report.held_out_by, "groups");
}

// The bound prefers terms, which learn each person's age by heart. Other persons are predicted better without them.
TEST(Groups, FoldsOfGroupsChoose) {
  const Panel train(150, 12, 8), test(1000, 10, 9);
  const Fit random = fit(train.view(), train.y, of_panel());
  const Fit grouped = fit(train.view(), train.y, of_panel(), {}, {}, {train.group});
  const auto on_new = [&](const Fit& of) {
    return evaluate(of.model.predict(test.view()).probabilities_of(1), test.y).nll;
  };
  EXPECT_NE(random.report.kernel, "se");
  EXPECT_EQ(grouped.report.kernel, "se");
  EXPECT_LT(on_new(grouped), on_new(random) - 0.05);
  ASSERT_EQ(grouped.report.choices.size(), 1U);
  EXPECT_EQ(grouped.report.choices[0].held_out, train.y.size());
  EXPECT_EQ(grouped.report.choices[0].others.size(), 1U);
}

// The state of the choice: both rivals, their fits and how they predicted folds. Oracle: the fit that was not stopped.
TEST(Groups, AStoppedChoiceResumesToTheSameBits) {
  const Panel table(30, 6, 10);
  const std::string path = ::testing::TempDir() + "groups.checkpoint";
  Options options = of_panel();
  options.inducing = 5;
  const Fit whole = fit(table.view(), table.y, options, {}, {}, {table.group});
  for (const int stop_at : {20, 60, 120, 200, 300}) {
    if (stop_at >= whole.report.iterations) break;
    Options first = options, second = options;
    first.checkpoint = second.resume = path;
    first.on_iteration = [&](const Progress& progress) { return progress.iteration < stop_at; };
    fit(table.view(), table.y, first, {}, {}, {table.group});
    const Fit resumed = fit(table.view(), table.y, second, {}, {}, {table.group});
    EXPECT_TRUE(resumed.model.to_bytes() == whole.model.to_bytes()) << stop_at;
    EXPECT_EQ(resumed.report.cross_validation->nll, whole.report.cross_validation->nll) << stop_at;
  }
}

TEST(Groups, InTimeOnlyTheLatestRowsJudge) {
  const Panel table(100, 10, 3);
  std::vector<int> day;
  for (std::size_t i = 0; i < table.y.size(); ++i) day.push_back(static_cast<int>(i / 50));
  const Fit result = fit(table.view(), table.y, of_panel(), {}, {}, {day, true});
  EXPECT_EQ(result.report.held_out_by, "time");
  EXPECT_EQ(result.report.leave_one_out->n, 200U);
  ASSERT_TRUE(result.report.cross_validation);
  EXPECT_EQ(result.report.cross_validation->n, 200U);
}

TEST(Groups, OtherMethodsHaveNoFigureOfSingleRows) {
  const Panel table(20, 5, 4);
  Options options = of_panel();
  options.method = Method::vi_jj;
  options.max_iter = 2;
  EXPECT_FALSE(fit(table.view(), table.y, options, {}, {}, {table.group}).report.leave_one_out);
  EXPECT_TRUE(fit(table.view(), table.y, options).report.leave_one_out);
}

TEST(Groups, LargeTablesHaveThemInTheirSample) {
  const Panel table(300, 10, 5);
  Options options = of_panel();
  options.sample_rows = 1000;
  options.inducing = 10;
  const Fit result = fit(table.view(), table.y, options, {}, {}, {table.group});
  EXPECT_EQ(result.report.rows, 3000U);
  ASSERT_TRUE(result.report.leave_one_out);
  EXPECT_NEAR(static_cast<double>(result.report.leave_one_out->n), 1000, 150);
}

// All of one class are in the latest rows, so the rows before them have one class only.
TEST(Groups, ASideWithoutAClassIsNoFailure) {
  Panel table(200, 1, 6);
  std::vector<int> day;
  for (std::size_t i = 0; i < table.y.size(); ++i) {
    day.push_back(static_cast<int>(i / 10));
    if (day.back() < 17) table.y[i] = 0;
  }
  const Fit result = fit(table.view(), table.y, of_panel(), {}, {}, {day, true});
  ASSERT_TRUE(result.report.cross_validation);
  EXPECT_TRUE(std::isfinite(result.report.cross_validation->nll));
}

// Numbers of groups are names: large ones cost nothing, and gaps between them neither.
TEST(Groups, NumbersAreNames) {
  const Panel table(20, 5, 4);
  std::vector<int> large = table.group;
  for (int& group : large) group = 2'000'000'000 + 7 * group;
  const auto nll = [&](const std::vector<int>& groups) {
    return fit(table.view(), table.y, of_panel(), {}, {}, {groups}).report.leave_one_out->nll;
  };
  EXPECT_EQ(nll(large), nll(table.group));
}

TEST(Groups, RowsOfWeightZeroDoNotCount) {
  const Panel table(20, 5, 4);
  std::vector<double> weight(100, 0);
  std::fill_n(weight.begin(), 5, 1.0);
  std::vector<int> y = table.y;
  y[0] = 0;
  y[1] = 1;
  EXPECT_THROW(fit(table.view(), y, of_panel(), weight, {}, {table.group}), Error);
}

TEST(Groups, ErrorsNameWhatIsWrong) {
  const Panel table(20, 5, 4);
  const auto message = [&](const std::vector<int>& groups, bool in_time = false) -> std::string {
    try {
      fit(table.view(), table.y, of_panel(), {}, {}, {groups, in_time});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({0, 1}), "there are 100 rows but 2 groups");
  std::vector<int> groups(100, 0);
  EXPECT_EQ(message(groups), "all rows are of one group: two are needed");
  EXPECT_EQ(message(groups, true), "all rows have the same time: two are needed");
  groups[7] = -2;
  EXPECT_EQ(message(groups), "group -2 in row 7: must be a number from 0");
}

}  // namespace
}  // namespace induce::testing
