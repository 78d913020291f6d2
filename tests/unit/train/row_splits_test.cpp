// Which rows are held out. Oracles: counts, and that no group is on both sides.
#include <gtest/gtest.h>

#include <set>

#include "small_fit.hpp"
#include "train/row_splits.hpp"

namespace induce::testing {
namespace {

// 600 rows of 40 groups of very different sizes.
RowGroups some_groups(bool in_time = false) {
  RowGroups groups{{}, in_time};
  for (int i = 0; i < 600; ++i) groups.of.push_back(i * i % 40 + (i % 7 == 0 ? 3 : 0));
  return groups;
}

std::set<int> groups_of(const SmallFit& small, Index first, Index count) {
  std::set<int> found;
  for (Index k = first; k < first + count; ++k) found.insert(small.plan.groups.of[small.table_row(k)]);
  return found;
}

std::set<int> common(const std::set<int>& a, const std::set<int>& b) {
  std::set<int> both;
  for (const int each : a)
    if (b.contains(each)) both.insert(each);
  return both;
}

TEST(RowSplits, FoldsWithoutGroupsHaveTheSameShareOfEachClass) {
  SmallFit small(601);
  const Folds folds = arrange_folds(small.plan, small.order);
  EXPECT_EQ(folds.count(), 4);
  EXPECT_EQ(folds.begin, (std::vector<Index>{0, 151, 301, 451, 601}));
  double least = 1, most = 0;
  for (Index fold = 0; fold < 4; ++fold) {
    double ones = 0;
    for (Index k = folds.first(fold); k < folds.first(fold + 1); ++k)
      ones += small.table.y[small.table_row(k)];
    least = std::min(least, ones / static_cast<double>(folds.rows(fold)));
    most = std::max(most, ones / static_cast<double>(folds.rows(fold)));
  }
  EXPECT_LT(most - least, 0.02);
}

TEST(RowSplits, AGroupIsInOneFold) {
  SmallFit small(600);
  small.plan.groups = some_groups();
  const Folds folds = arrange_folds(small.plan, small.order);
  ASSERT_EQ(folds.count(), 4);
  EXPECT_EQ(folds.rows(), 600);
  EXPECT_EQ(std::set<Index>(small.order.begin(), small.order.end()).size(), 600U);
  for (Index a = 0; a < 4; ++a) {
    EXPECT_NEAR(static_cast<double>(folds.rows(a)), 150, 40);
    for (Index b = 0; b < a; ++b)
      EXPECT_TRUE(common(groups_of(small, folds.first(a), folds.rows(a)),
                         groups_of(small, folds.first(b), folds.rows(b)))
                      .empty());
  }
  for (int& group : small.plan.groups.of) group = group > 20;  // two: as many folds
  EXPECT_EQ(arrange_folds(small.plan, small.order).count(), 2);
}

TEST(RowSplits, InTimeTheLatestFifthIsHeldOut) {
  SmallFit small(600);
  small.plan.groups = some_groups(true);
  const Folds folds = arrange_folds(small.plan, small.order);
  ASSERT_EQ(folds.count(), 1);
  const std::set<int> earlier = groups_of(small, 0, folds.first(0)),
                      later = groups_of(small, folds.first(0), folds.rows());
  EXPECT_LT(*earlier.rbegin(), *later.begin());
  EXPECT_GE(folds.rows(), 120);
  EXPECT_LT(folds.rows(), 240);
}

TEST(RowSplits, RowsThatJudgeAFirstStageAreOfOtherGroups) {
  for (const bool in_time : {false, true}) {
    SmallFit small(600);
    small.plan.groups = some_groups(in_time);
    const HeldOutRows rows = arrange_held_out(small.plan, small.order, 50);
    EXPECT_EQ(rows.stage, 50);
    EXPECT_GT(rows.held_out, 100);
    EXPECT_LE(rows.held_out, 200);
    const std::set<int> used = groups_of(small, 0, rows.stage),
                        judges = groups_of(small, rows.stage, rows.held_out);
    EXPECT_TRUE(common(used, judges).empty());
    if (in_time) {
      EXPECT_LT(*used.rbegin(), *judges.begin());
    }
    EXPECT_EQ(std::set<Index>(small.order.begin(), small.order.end()).size(), 600U);
  }
  SmallFit alone(600);
  const std::vector<Index> before = alone.order;
  const HeldOutRows rows = arrange_held_out(alone.plan, alone.order, 150);
  EXPECT_EQ(rows.stage, 150);
  EXPECT_EQ(rows.held_out, 450);
  EXPECT_EQ(alone.order, before);
  alone.plan.groups.of.assign(600, 0);  // one large group and a small one
  for (std::size_t i = 0; i < 30; ++i) alone.plan.groups.of[i] = 1;
  const HeldOutRows few = arrange_held_out(alone.plan, alone.order, 150);
  EXPECT_GT(few.held_out, 0);
  EXPECT_TRUE(few.stage == 150 || few.stage == 30);
}

}  // namespace
}  // namespace induce::testing
