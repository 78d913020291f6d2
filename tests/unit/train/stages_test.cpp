// The stages of a growing fit and their convergence test. Oracle: the rules, by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "train/stages.hpp"

namespace induce {
namespace {

std::vector<std::pair<Index, Index>> plan(const Stages& stages) {
  std::vector<std::pair<Index, Index>> found;
  for (StagePlan stage = stages.first();; stage = stages.next(stage, stage.m)) {
    found.emplace_back(stage.rows, stage.m);
    if (stage.last || found.size() > 30) return found;
  }
}
using Plan = std::vector<std::pair<Index, Index>>;

TEST(Stages, FewRowsTakeOneStage) {
  EXPECT_EQ(plan(Stages(800, 5, 20, false, true, 300)), (Plan{{800, 20}}));
  EXPECT_EQ(plan(Stages(3000, 5, 50, false, true, 300)), (Plan{{3000, 50}}));
}

TEST(Stages, RowsGrowFourfoldThenInputsTwofold) {
  EXPECT_EQ(plan(Stages(60000, 5, 100, false, true, 9000)), (Plan{{3750, 100}, {15000, 100}, {60000, 100}}));
  EXPECT_EQ(plan(Stages(16000, 5, 300, false, true, 9000)),
            (Plan{{4000, 100}, {16000, 100}, {16000, 200}, {16000, 300}}));
}

TEST(Stages, LastStageHasAllRowsAndTheFinalTolerance) {
  for (const Index n : {10, 2500, 7777, 100001, 3000000}) {
    for (const Index m : {0, 10, 400}) {
      if (m > n) continue;
      const bool find_out = m == 0;
      const Index most = find_out ? std::max<Index>(1, n / 4) : m;
      const Stages stages(n, 7, most, find_out, true, n / 3);
      StagePlan stage = stages.first();
      Index before = 0;
      while (!stage.last) {
        EXPECT_GE(stage.rows, before);
        before = stage.rows;
        stage = stages.next(stage, stage.m);
      }
      EXPECT_EQ(stage.rows, n);
      if (m > 0) {
        EXPECT_EQ(stage.m, m);
      }
      EXPECT_LE(stage.tolerance, stages.first().tolerance);
    }
  }
}

TEST(Stages, StopsWhereDoublingIsNotWorthIt) {
  const Stages stages(10000, 5, 1000, true, true, 5000);
  StagePlan stage = stages.first();
  while (stage.rows < 10000) stage = stages.next(stage, stage.m);
  EXPECT_FALSE(stage.last);
  // At .3 nats per row the unit is 3000: a doubling must gain 22.5 nats, and 3.2 for its work.
  EXPECT_TRUE(stages.worth_growing(stage, 100, -3000, INFINITY, 13));
  EXPECT_FALSE(stages.worth_growing(stage, 100, -3000, INFINITY, 12.5));  // a low price: little to gain
  EXPECT_TRUE(stages.worth_growing(stage, 100, -3000, 100, 7));
  EXPECT_FALSE(stages.worth_growing(stage, 100, -3000, 2, 200));  // the last doubling gained little
  EXPECT_FALSE(stages.worth_growing(stage, 100, -3000, -1, 200));
}

TEST(Stages, ACostlyDoublingMustGainMore) {
  const Stages stages(1000000, 5, 1000, true, true, 500000);
  StagePlan stage = stages.first();
  while (stage.rows < 1000000) stage = stages.next(stage, stage.m);
  // At .3 nats per row 2250 nats, and as twenty passes with 200 inputs have 3.6e12 operations, 32040 more; twice the
  // classes and some terms have more operations.
  EXPECT_TRUE(stages.worth_growing(stage, 100, -300000, INFINITY, 17200));
  EXPECT_FALSE(stages.worth_growing(stage, 100, -300000, INFINITY, 17100));
  EXPECT_FALSE(stages.worth_growing(stage, 100, -300000, INFINITY, 17200, 2));
  EXPECT_FALSE(stages.worth_growing(stage, 100, -300000, INFINITY, 17200, 1, {100, 10}));
}

TEST(Stages, AStageCanBecomeTheLast) {
  const Stages stages(10000, 5, 1000, true, true, 5000);
  StagePlan stage = stages.first();
  while (stage.rows < 10000) stage = stages.next(stage, stage.m);
  EXPECT_EQ(stages.next(stage, 100).m, 200);
  Stages::make_last(stage);
  EXPECT_TRUE(stage.last);
  EXPECT_EQ(stage.tolerance, stages.last(100).tolerance);
}

TEST(Stages, ARequestedNumberIsReachedWhateverItGains) {
  const Stages stages(4000, 5, 500, false, true, 2000);
  StagePlan stage = stages.first();
  while (stage.rows < 4000) stage = stages.next(stage, stage.m);
  EXPECT_TRUE(stages.worth_growing(stage, 100, -2000, 0, 0));
  stage = stages.next(stage, 100);
  ASSERT_EQ(stage.m, 200);
  EXPECT_FALSE(stages.worth_growing(stage, 137, -2000, 9999, 9999));  // no more inputs were found
}

TEST(Stages, RareClassesAndFixedInputsStartLarger) {
  EXPECT_GE(Stages(1000000, 5, 100, false, true, 1000).first().rows, 50000);
  EXPECT_EQ(Stages(60000, 5, 400, false, false, 30000).first().m, 400);
}

// The value approaches -1000: the tolerance of 1e-3 is one nat.
TEST(ConvergenceTest, ConvergesWhenDoublingTheWorkGainsTooLittle) {
  ConvergenceTest test(1e-3, 0, 3333);  // 3333 rows at .3 nats: the unit is 1000
  double value = -1160;
  int k = 1;
  for (; k < 1000 && !test.after(value, k); ++k) value += 100.0 / (k * k);
  // The pace at k is about 100/k^2 per step, so doubling the work would gain 100/k: converged near k = 100.
  EXPECT_GT(k, 90);
  EXPECT_LT(k, 115);
  EXPECT_TRUE(test.converged());
  EXPECT_FALSE(test.reconsider(1e4));
  EXPECT_TRUE(test.reconsider(0));
}

TEST(ConvergenceTest, TheUnitIsBetweenRelativeAndAbsolute) {
  EXPECT_NEAR(tolerance_unit(-300, 1000), 300, 1e-9);
  EXPECT_NEAR(tolerance_unit(-75, 1000), 150, 1e-9);  // a quarter left to explain: half the unit
  EXPECT_NEAR(tolerance_unit(-1, 1000), 5, 1e-9);     // nearly separable: relative
}

TEST(ConvergenceTest, PatienceDelaysConvergence) {
  ConvergenceTest hasty(1e-3, 0, 3333), patient(1e-3, 1000, 3333);
  double value = -1160;
  bool stopped = false;
  for (int k = 1; k < 150; ++k) {
    value += 100.0 / (k * k);
    stopped = hasty.after(value, k) || stopped;
    EXPECT_FALSE(patient.after(value, k));
  }
  EXPECT_TRUE(stopped);
}

TEST(ConvergenceTest, WaitsForTheWholeWindow) {
  ConvergenceTest test(1e-3, 0, 3333);
  for (int k = 1; k < 6; ++k) EXPECT_FALSE(test.after(-1000, k));
  EXPECT_TRUE(test.after(-1000, 6));
}

// The effort divides whatever a gain must be.
TEST(Stages, EffortIsTheOneExchangeRate) {
  const auto with = [](double effort) { return Stages(10000, 5, 1000, true, true, 5000, 0, 0, effort); };
  EXPECT_DOUBLE_EQ(with(3).first().tolerance, with(1).first().tolerance / 3);
  EXPECT_DOUBLE_EQ(with(3).last(100).tolerance, with(1).last(100).tolerance / 3);
  EXPECT_DOUBLE_EQ(with(3).last(100).patience, with(1).last(100).patience * 3);
  const StagePlan all = with(1).next({5000, 100}, 100);
  ASSERT_EQ(all.rows, 10000);
  for (const double price : {3., 6., 12., 24., 48.}) {
    bool before = false;
    for (const double effort : {.25, .5, 1., 2., 4.}) {
      const bool grows = with(effort).worth_growing(all, 100, -3000, INFINITY, price);
      EXPECT_TRUE(grows || !before) << effort << " " << price;
      before = grows;
    }
  }
  EXPECT_TRUE(with(2).worth_growing(all, 100, -3000, INFINITY, 8));
  EXPECT_FALSE(with(1).worth_growing(all, 100, -3000, INFINITY, 8));
}

TEST(Stages, AStageThatLeavesOutRowsHasNoPatience) {
  const Stages stages(10000, 5, 200, false, true, 5000);
  StagePlan stage = stages.first();
  while (!stage.last) stage = stages.next(stage, stage.m);
  EXPECT_GT(stage.patience, 0);
  Stages::make_cheap(stage);
  EXPECT_FALSE(stage.last);
  EXPECT_EQ(stage.patience, 0);
}

}  // namespace
}  // namespace induce
