// One candidate through its stages. Oracles: the table itself, the first stage for the second, the candidate before it was
// stored, and labels that may not matter.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>

#include "small_fit.hpp"
#include "train/grow_inputs.hpp"

namespace induce::testing {
namespace {

StagePlan short_stage(Index rows, Index m = 6) {
  return {.rows = rows, .m = m, .tolerance = 1e-2, .patience = 0, .last = false, .max_iter = 8};
}

CandidateFit fitted_candidate(SmallFit& small, Index rows, Index m = 6) {
  CandidateFit candidate(small.fit, {}, small.fit.all_rows());
  StagePlan stage = short_stage(rows, m);
  EXPECT_TRUE(candidate.run(stage));
  return candidate;
}

TEST(CandidateFit, StagesStartWhereTheLastOneEnded) {
  SmallFit small(160);
  CandidateFit candidate = fitted_candidate(small, 60);
  EXPECT_EQ(candidate.rows(), 60);
  EXPECT_TRUE(candidate.point().ok);
  EXPECT_EQ(candidate.point().frame.m(), 6);
  const Vector theta = candidate.point().prior.theta;
  const Matrix Z = candidate.point().prior.Z;
  const long passes = small.fit.passes;
  EXPECT_GT(passes, 0);

  StagePlan nothing = short_stage(60);
  nothing.max_iter = 1;  // barely moves
  ASSERT_TRUE(candidate.run(nothing));
  EXPECT_LT((candidate.point().prior.theta - theta).norm(), 0.3 * theta.norm());

  StagePlan more = short_stage(160, 12);
  ASSERT_TRUE(candidate.run(more));
  EXPECT_EQ(candidate.rows(), 160);
  EXPECT_EQ(candidate.point().frame.m(), 12);
  EXPECT_FALSE(candidate.exhausted());
  EXPECT_GT(small.fit.passes, passes);
  ASSERT_EQ(small.fit.stages.size(), 3U);
  const Stage& last = small.fit.stages.back();
  EXPECT_EQ(last.rows, 160U);
  EXPECT_EQ(last.m, 12U);
  EXPECT_EQ(last.bound, candidate.point().value);
  EXPECT_EQ(last.kernel, "se");
  EXPECT_EQ(last.warp, "none");
  EXPECT_GT(candidate.estimate(short_stage(160, 24)), candidate.estimate(short_stage(160, 12)));
  EXPECT_EQ(Z.rows(), 6);
}

TEST(CandidateFit, LearnsFromTheRows) {
  SmallFit small(160);
  const CandidateFit candidate = fitted_candidate(small, 100);
  const CandidateFit::HeldOut found = candidate.predict_next(60);
  double loss = 0, of_base_rates = 0;
  for (Index i = 0; i < 60; ++i) {
    const double y = found.targets.y[i] > 0 ? 1 : 0, p = found.probability[i];
    loss -= std::log(y == 1 ? p : 1 - p);
    of_base_rates -= std::log(found.base_rates[static_cast<std::size_t>(y)]);
  }
  EXPECT_LT(loss, 0.7 * of_base_rates);
}

TEST(CandidateFit, PredictsTheRowsAfterItsOwn) {
  SmallFit small(160);
  const CandidateFit candidate = fitted_candidate(small, 60);
  const CandidateFit::HeldOut found = candidate.predict_next(50);
  ASSERT_EQ(found.probability.size(), 50);
  ASSERT_EQ(found.targets.y.size(), 50);
  double ones = 0;
  for (Index k = 0; k < 60; ++k) ones += small.table.y[small.table_row(k)];
  EXPECT_DOUBLE_EQ(found.base_rates[1], ones / 60);
  EXPECT_DOUBLE_EQ(found.base_rates[0], 1 - ones / 60);
  for (Index k = 0; k < 50; ++k) {
    EXPECT_EQ(found.targets.y[k] > 0, small.table.y[small.table_row(60 + k)] == 1) << k;
    EXPECT_EQ(found.targets.weight[k], 1);
    EXPECT_TRUE(found.probability[k] > 0 && found.probability[k] < 1);
  }
}

// Nothing that a candidate starts from or learns has seen the labels that judge it.
TEST(CandidateFit, DoesNotKnowTheLabelsThatAreHeldOut) {
  const SmallTable table(160);
  const auto predictions = [](SmallFit& small, std::vector<Vector>& starts) {
    const TrainingSide side = small.fit.without(60, 100, 0);
    for (const KernelPlan& kernel : *side.kernels) starts.push_back(kernel.start.theta);
    CandidateFit candidate(small.fit, {.map = 0, .kernel = 0}, side);
    StagePlan stage = short_stage(60);
    EXPECT_TRUE(candidate.run(stage));
    return candidate.predict_next(100).probability;
  };
  SmallFit small(table);
  SmallTable other = table;
  for (Index k = 60; k < 160; ++k) other.y[small.table_row(k)] ^= 1;
  // Rows are ordered by a hash of features and label, so the same rows are found again by their place in the table.
  SmallFit flipped(other);
  std::vector<Index> of_table(160);
  for (Index i = 0; i < 160; ++i)
    of_table[static_cast<std::size_t>(flipped.plan.rows.table_row_of_user(i))] = i;
  for (Index k = 0; k < 160; ++k) flipped.order[static_cast<std::size_t>(k)] = of_table[small.table_row(k)];
  std::vector<Vector> starts, starts_of_flipped;
  const Vector want = predictions(small, starts), got = predictions(flipped, starts_of_flipped);
  ASSERT_EQ(starts.size(), starts_of_flipped.size());
  for (std::size_t k = 0; k < starts.size(); ++k) EXPECT_TRUE(starts[k] == starts_of_flipped[k]) << k;
  EXPECT_LT((got - want).cwiseAbs().maxCoeff(), 1e-6);  // another order of rows has other last digits
}

TEST(CandidateFit, KnowsThatThereAreNoMoreInducingInputs) {
  SmallTable table(60);
  for (std::size_t i = 0; i < table.x.size(); ++i)
    table.x[i] = std::round(table.x[i] > 0);  // few distinct rows
  SmallFit small(table);
  CandidateFit candidate(small.fit, {}, small.fit.all_rows());
  StagePlan stage = short_stage(60, 30);
  ASSERT_TRUE(candidate.run(stage));
  EXPECT_TRUE(candidate.exhausted());
  EXPECT_LT(candidate.point().frame.m(), 30);
}

TEST(CandidateFit, StartsFromWhatAnotherHasLearned) {
  SmallFit small(120);
  const CandidateFit first = fitted_candidate(small, 120);
  const std::size_t rougher = 1;
  CandidateFit second(small.fit, {.map = 0, .kernel = rougher}, small.fit.all_rows());
  second.start_from(first);
  const Prior &from = first.point().prior, &now = second.point().prior;
  for (const char* shared : {"signal_std", "lengthscales"})
    EXPECT_EQ(now.theta[second.kernel().find(shared).value()],
              from.theta[first.kernel().find(shared).value()])
        << shared;
  EXPECT_TRUE(now.Z == from.Z);
  EXPECT_EQ(now.mean, from.mean);
  StagePlan stage = short_stage(120);
  ASSERT_TRUE(second.run(stage));
  EXPECT_GT(second.point().value, first.point().value - 5);  // it does not begin anew
}

TEST(CandidateFit, AStageOutOfTimeKeepsTheModel) {
  SmallFit small(120);
  CandidateFit candidate = fitted_candidate(small, 60);
  const double value = candidate.point().value;
  small.options.max_time = small.monitor.seconds();
  StagePlan stage = short_stage(120);
  EXPECT_FALSE(candidate.run(stage));
  EXPECT_FALSE(small.monitor.interrupted());
  EXPECT_EQ(candidate.rows(), 60);
  EXPECT_EQ(candidate.point().value, value);
  EXPECT_EQ(candidate.predict_next(10).probability.size(), 10);
  CandidateFit first(small.fit, {}, small.fit.all_rows());  // without a model the first evaluation is made
  StagePlan again = short_stage(60);
  EXPECT_TRUE(first.run(again));
}

TEST(CandidateFit, BaseRateIgnoresTheFeatures) {
  SmallFit small(120);
  CandidateFit candidate = fitted_candidate(small, 80);
  candidate.become_base_rate();
  const CandidateFit::HeldOut found = candidate.predict_next(40);
  for (Index i = 0; i < 40; ++i) {
    EXPECT_NEAR(found.probability[i], found.base_rates[1], 1e-2) << i;
    EXPECT_EQ(found.probability[i], found.probability[0]) << i;
  }
}

TEST(CandidateFit, StageBecomesTheLastOneIfNoneFollows) {
  SmallFit small(80);
  CandidateFit candidate(small.fit, {}, small.fit.all_rows());
  StagePlan stage = short_stage(80);
  stage.max_iter = 0;
  int asked = 0;
  ASSERT_TRUE(candidate.run(stage, [&](const ProfiledPoint& best) {
    EXPECT_TRUE(best.ok);
    ++asked;
    return false;
  }));
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(stage.last);
  EXPECT_TRUE(candidate.converged());
}

// One stage of one kernel: twice the effort is the same path, and further along.
TEST(CandidateFit, TwiceTheEffortHasNoWorseBound) {
  double before = -INFINITY;
  long passes = 0;
  for (const double effort : {0.05, 0.1, 0.2, 0.4, 0.8, 1.6}) {
    SmallFit small(300);
    CandidateFit candidate(small.fit, {}, small.fit.all_rows());
    StagePlan stage = Stages(300, 2, 8, false, true, 150, 0, 0, effort).first();
    ASSERT_TRUE(stage.last);
    stage.patience = 0;  // a table so small would have more than it needs
    ASSERT_TRUE(candidate.run(stage));
    EXPECT_GE(candidate.point().value, before) << effort;
    EXPECT_GE(small.fit.passes, passes) << effort;
    before = candidate.point().value;
    passes = small.fit.passes;
  }
}

// Oracle: the same stages with every row, which great effort insists on.
TEST(CandidateFit, RowsWithDoubtTeachWhatAllRowsDo) {
  const SmallTable table(6000);
  const auto end = [&](double effort, bool thinned) {
    Options options;
    options.effort = effort;
    SmallFit small(table, options);
    CandidateFit candidate = fitted_candidate(small, 1500, 12);
    StagePlan next = short_stage(6000, 12);
    next.max_iter = 30;
    next.last = true;
    EXPECT_TRUE(candidate.run(next));
    EXPECT_EQ(next.last, !thinned);
    const double sampled = candidate.point().value;
    EXPECT_TRUE(candidate.finish());
    EXPECT_NEAR(sampled, candidate.point().value, 0.03 * std::abs(sampled));
    return candidate.point().value;
  };
  const double all = end(1000, false), some = end(1, true);
  EXPECT_GT(some, all - 0.01 * std::abs(all));
}

TEST(CandidateFit, StopBeforeThereIsABoundLeavesItAsItWas) {
  Options options;
  options.stop = [] { return true; };
  SmallFit small(SmallTable(80), options);
  CandidateFit candidate(small.fit, {}, small.fit.all_rows());
  StagePlan stage = short_stage(80);
  EXPECT_FALSE(candidate.run(stage));
  EXPECT_EQ(candidate.rows(), 0);
  EXPECT_FALSE(candidate.point().ok);
  EXPECT_TRUE(small.monitor.interrupted());
  EXPECT_EQ(small.monitor.iterations(), 0);
}

TEST(CandidateFit, StopInALaterStageKeepsTheEarlierOne) {
  Options options;
  bool stop = false;
  options.stop = [&] { return stop; };
  SmallFit small(SmallTable(120), options);
  CandidateFit candidate = fitted_candidate(small, 60);
  const double bound = candidate.point().value;
  stop = true;
  StagePlan stage = short_stage(120, 12);
  EXPECT_FALSE(candidate.run(stage));
  EXPECT_EQ(candidate.rows(), 60);
  EXPECT_EQ(candidate.point().value, bound);
  EXPECT_EQ(small.fit.stages.size(), 1U);
  EXPECT_EQ(candidate.point().frame.m(), 6);
}

TEST(CandidateFit, StoredAndLoadedIsTheSame) {
  SmallFit small(120), again(120);
  CandidateFit candidate = fitted_candidate(small, 80);
  candidate.finish();
  NamedArrays stored;
  Archive save(stored, Archive::Direction::save);
  candidate.archive(save);
  CandidateFit loaded(again.fit, {}, again.fit.all_rows());
  Archive load(stored, Archive::Direction::load);
  loaded.archive(load);
  EXPECT_EQ(loaded.rows(), 80);
  EXPECT_TRUE(loaded.predict_next(40).probability == candidate.predict_next(40).probability);
  stored["rows"] = {1000};
  EXPECT_THROW(loaded.archive(load), Error);
}

TEST(StagedFit, LeavesTimeForTheFit) {
  Options options;
  options.max_time = 1e6;
  SmallFit plenty(SmallTable(40), options);
  EXPECT_FALSE(plenty.fit.must_leave_time(0.3));
  options.max_time = 1e-9;
  SmallFit none(SmallTable(40), options);
  EXPECT_TRUE(none.fit.must_leave_time(0.3));
}

TEST(StagedFit, CountsRowsCyclically) {
  SmallFit small(40);
  EXPECT_EQ(small.fit.row_at(43), small.fit.row_at(3));
  const Draw drawn = small.fit.draw(30, 20);
  EXPECT_EQ(drawn.place.size(), 20U);
  for (std::size_t k = 0; k < 20; ++k)
    EXPECT_EQ(drawn.distinct[static_cast<std::size_t>(drawn.place[k])],
              small.plan.rows.distinct_of(small.fit.row_at(30 + static_cast<Index>(k))));
}

}  // namespace
}  // namespace induce::testing
