// Labels that are successes of trials, or shares. Oracle: rows with weights and groups, as derived in fit/trials.hpp.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>
#include <induce/fit.hpp>

#include "fit/trials.hpp"
#include "linalg/random.hpp"

namespace induce::testing {
namespace {

struct Counted {
  explicit Counted(int rows, double slope = 1.5) {
    Random random(7);
    for (int i = 0; i < rows; ++i) {
      const double a = random.normal(), n = static_cast<double>(random.below(9));
      x.insert(x.end(), {a, random.normal()});
      double y = 0;
      for (int k = 0; k < n; ++k) y += random.uniform() < 1 / (1 + std::exp(-slope * a));
      successes.push_back(y);
      trials.push_back(n);
    }
  }
  TableView view() const { return {x.data(), successes.size(), 2}; }
  std::vector<double> x, successes, trials;
};

Options one_thread() {
  Options options;
  options.threads = 1;
  return options;
}

TEST(TrialsOfRows, EqualWeightedRowsInGroups) {
  const Counted table(120);
  std::vector<double> x, weight;
  std::vector<int> y, group;
  for (std::size_t i = 0; i < table.successes.size(); ++i)
    for (const int label : {0, 1}) {
      const double count = label ? table.successes[i] : table.trials[i] - table.successes[i];
      if (count == 0) continue;
      x.insert(x.end(), {table.x[2 * i], table.x[2 * i + 1]});
      y.push_back(label);
      weight.push_back(count);
      group.push_back(static_cast<int>(i));
    }
  const Fit counted = fit(table.view(), Trials{table.successes, table.trials}, one_thread());
  const Fit weighted = fit({x.data(), y.size(), 2}, y, one_thread(), weight, {}, {group});
  EXPECT_TRUE(counted.model.to_bytes() == weighted.model.to_bytes());
  EXPECT_EQ(counted.report.cross_validation->nll, weighted.report.cross_validation->nll);
  EXPECT_EQ(counted.report.leave_one_out->nll, weighted.report.leave_one_out->nll);
}

TEST(TrialsOfRows, SplitRowsByHand) {
  const std::vector<double> successes{2, 0, 3, 0}, trials{5, 1, 3, 0}, weight{1, 2, 0.5, 9};
  const detail::SplitRows split = detail::split_trials({successes, trials}, weight);
  EXPECT_EQ(split.row, (std::vector<std::size_t>{0, 0, 1, 2}));
  EXPECT_EQ(split.label, (std::vector<int>{1, 0, 0, 1}));
  EXPECT_EQ(split.weight, (std::vector<double>{2, 3, 2, 1.5}));
  EXPECT_EQ(split.group, (std::vector<int>{0, 0, 1, 2}));
  EXPECT_EQ(split.without_trials, 1U);
  const std::vector<double> shares{0.25, 1};
  EXPECT_EQ(detail::split_trials({shares, {}}).weight, (std::vector<double>{0.25, 0.75, 1}));
}

// The evidence of trials is that of as many rows: 12 rows of 400 trials show what 12 rows do not.
TEST(TrialsOfRows, TrialsAreEvidence) {
  std::vector<double> x, successes, trials(12, 400), once(12, 1);
  for (int i = 0; i < 12; ++i) {
    x.push_back(i);
    successes.push_back(200 + 12 * (i - 5));
  }
  const TableView view{x.data(), 12, 1};
  const Fit many = fit(view, Trials{successes, trials}, one_thread());
  const auto p = many.model.predict(view).probabilities_of(1);
  EXPECT_GT(p[11] - p[0], 0.2);
  std::vector<double> shares;
  for (const double y : successes) shares.push_back(y / 400);
  const auto few = fit(view, Trials{shares, {}}, one_thread()).model.predict(view).probabilities_of(1);
  EXPECT_LT(few[11] - few[0], 0.05);
}

TEST(TrialsOfRows, GroupsAreKept) {
  const Counted table(60);
  std::vector<int> group;
  for (int i = 0; i < 60; ++i) group.push_back(i / 3);
  const Fit own = fit(table.view(), Trials{table.successes, table.trials}, one_thread()),
            grouped = fit(table.view(), Trials{table.successes, table.trials}, one_thread(), {}, {}, {group});
  EXPECT_NE(own.report.leave_one_out->nll, grouped.report.leave_one_out->nll);
}

TEST(TrialsOfRows, ErrorsNameRowValueAndLimit) {
  const std::vector<double> x{1, 2, 3};
  const auto message = [&](std::vector<double> successes, std::vector<double> trials) -> std::string {
    try {
      fit({x.data(), 3, 1}, Trials{successes, trials}, one_thread());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({1, 3, 0}, {2, 2, 2}),
            "row 1: 3 successes of 2 trials: must be a whole number from 0 to 2");
  EXPECT_EQ(message({1, 0, -1}, {2, 2, 2}),
            "row 2: -1 successes of 2 trials: must be a whole number from 0 to 2");
  EXPECT_EQ(message({1, 0, 1}, {2, 2, 0.5}), "row 2: trials of 0.5: must be a whole number of at least 0");
  EXPECT_EQ(message({0.5, 1.5, 0}, {}), "row 1: a share of 1.5: must be from 0 to 1");
  EXPECT_EQ(message({0.5, NAN, 0}, {}), "row 1: a share of nan: must be from 0 to 1");
  EXPECT_EQ(message({1, 0}, {2, 2}), "there are 3 rows but 2 labels");
  EXPECT_EQ(message({1, 0, 0}, {2, 2}), "there are 3 rows but 2 trials");
}

}  // namespace
}  // namespace induce::testing
