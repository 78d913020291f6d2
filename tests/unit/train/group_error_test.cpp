// Oracles: the error of Metrics where each row is a group, and by hand the sums of the losses of groups.
#include "train/group_error.hpp"

#include <gtest/gtest.h>

#include <induce/metrics.hpp>

#include "small_fit.hpp"

namespace induce::testing {
namespace {

constexpr Index row_count = 60;

struct Losses : SmallFit {
  Losses() : SmallFit(std::size_t{row_count}) {
    for (Index k = 0; k < row_count; ++k) {
      const auto i = static_cast<std::size_t>(k);
      probability.push_back(0.05 + 0.9 * (static_cast<double>(k * 37 % row_count) / row_count));
      label.push_back(k % 3 == 0);
      weight.push_back(1 + static_cast<double>(k % 2));
      targets.y[k] = label[i] ? 1 : -1;
      targets.weight[k] = weight[i];
    }
  }
  double error(const std::vector<int>& of_table_rows) {
    plan.groups.of = of_table_rows;
    return error_of_groups(fit, Folds{{0, 20, row_count}}, probability, targets);
  }
  std::vector<double> probability, weight;
  std::vector<int> label;
  Targets targets{Vector(row_count), Vector(row_count)};
};

TEST(GroupError, OfRowsOnTheirOwnIsThatOfMetrics) {
  Losses all;
  std::vector<int> own(row_count);
  std::iota(own.begin(), own.end(), 0);
  const double expected = evaluate(all.probability, all.label, all.weight).nll_error;
  EXPECT_NEAR(all.error(own), expected, 1e-14);
}

TEST(GroupError, OfGroupsIsThatOfTheirSums) {
  Losses all;
  constexpr int groups = 7;
  const auto group_of = [](std::size_t table_row) { return static_cast<int>(table_row % groups); };
  std::vector<int> of(row_count);
  for (std::size_t i = 0; i < of.size(); ++i) of[i] = group_of(i);
  const std::vector<double> loss = losses_of(all.probability, all.targets);
  const double mean = evaluate(all.probability, all.label, all.weight).nll;
  std::vector<double> sum(groups, 0);
  double total = 0, squares = 0;
  for (std::size_t k = 0; k < loss.size(); ++k) {
    sum[static_cast<std::size_t>(group_of(all.table_row(static_cast<Index>(k))))] +=
        all.weight[k] * (loss[k] - mean);
    total += all.weight[k];
  }
  for (const double each : sum) squares += each * each;
  EXPECT_NEAR(all.error(of), std::sqrt(squares * groups / (groups - 1)) / total, 1e-14);
  EXPECT_TRUE(std::isnan(all.error(std::vector<int>(row_count, 0))));
}

}  // namespace
}  // namespace induce::testing
