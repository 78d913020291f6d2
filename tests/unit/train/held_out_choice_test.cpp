// The choice by held-out rows, with real fits. Oracles: the metrics of the held-out rows, and the rules of decide_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>
#include <induce/metrics.hpp>

#include "small_fit.hpp"
#include "train/held_out_choice.hpp"

namespace induce::testing {
namespace {

constexpr Index rows_of_first = 100, held_out_rows = 300, rows_of_second = 200, judges_of_second = 200;

StagePlan first_look(Index rows = rows_of_first) {
  return {.rows = rows, .m = 5, .tolerance = 5e-2, .patience = 0, .last = false, .max_iter = 4};
}

NamedArrays saved(HeldOutChoice& choice) {
  NamedArrays stored;
  Archive save(stored, Archive::Direction::save);
  choice.archive(save);
  return stored;
}

class HeldOutRun : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    small_ = new SmallFit(SmallTable(rows_of_first + held_out_rows));
    HeldOutChoice choice(small_->fit, first_look(), first_look(rows_of_second),
                         {rows_of_first, held_out_rows});
    choice.run();
    state_ = new NamedArrays(saved(choice));
  }
  static void TearDownTestSuite() {
    delete state_;
    delete small_;
  }
  static HeldOutChoice loaded(NamedArrays stored) {
    HeldOutChoice choice(small_->fit, first_look(), first_look(rows_of_second),
                         {rows_of_first, held_out_rows});
    Archive load(stored, Archive::Direction::load);
    choice.archive(load);
    return choice;
  }

  static SmallFit* small_;
  static NamedArrays* state_;
};
SmallFit* HeldOutRun::small_ = nullptr;
NamedArrays* HeldOutRun::state_ = nullptr;

TEST_F(HeldOutRun, TriesMapsAndTerms) {
  int with_terms = 0;
  std::size_t best_map = 0;
  const auto trials = static_cast<std::size_t>(state_->at("trials.count")[0]);
  for (std::size_t k = 0; k < trials; ++k) {
    const std::string name = "trials." + std::to_string(k) + ".";
    const auto kernel = static_cast<std::size_t>(state_->at(name + "kernel")[0]);
    if (small_->plan.kernels[kernel].family != Family::terms) continue;
    ++with_terms;
    best_map = static_cast<std::size_t>(state_->at(name + "map")[0]);
  }
  EXPECT_GT(best_map, 0U);  // the first feature has heavy tails
  EXPECT_EQ(with_terms, 1);
}

TEST_F(HeldOutRun, TheSecondStageHasOneWithoutTermsAndOneWithThem) {
  EXPECT_EQ(state_->at("finals.count")[0], 2);
  const auto family = [&](const char* name) {
    return small_->plan.kernels[static_cast<std::size_t>(state_->at(name)[0])].family;
  };
  EXPECT_EQ(family("finals.0.kernel"), Family::plain);
  EXPECT_EQ(family("finals.1.kernel"), Family::terms);
  EXPECT_EQ(state_->at("finals.0.loss").size(), static_cast<std::size_t>(judges_of_second));
}

TEST_F(HeldOutRun, GoesOnBetweenTheFinalists) {
  NamedArrays stored = *state_;
  HeldOutChoice choice(small_->fit, first_look(), first_look(rows_of_second), {rows_of_first, held_out_rows});
  stored["finals.count"] = {1};
  Archive load(stored, Archive::Direction::load);
  choice.archive(load);
  choice.run();
  EXPECT_EQ(saved(choice).at("finals.count")[0], 2);
}

TEST_F(HeldOutRun, StoredAndLoadedIsTheSame) {
  HeldOutChoice again = loaded(*state_);
  EXPECT_EQ(saved(again), *state_);
}

TEST_F(HeldOutRun, DamagedStateIsRefused) {
  const auto load = [&](const auto& damage) {
    NamedArrays stored = *state_;
    damage(stored);
    loaded(stored);
  };
  EXPECT_NO_THROW(load([](NamedArrays&) {}));
  EXPECT_THROW(load([](NamedArrays& stored) { stored["trials.count"] = {1000}; }), Error);
  EXPECT_THROW(load([](NamedArrays& stored) { stored["trials.0.loss"].pop_back(); }), Error);
  EXPECT_THROW(load([](NamedArrays& stored) {
                 stored["trials.1.loss"].pop_back();
                 stored["trials.1.weight"].pop_back();
               }),
               Error);
  EXPECT_THROW(load([](NamedArrays& stored) { stored["trials.0.kernel"] = {100}; }), Error);
  EXPECT_THROW(load([](NamedArrays& stored) { stored["trials.0.bound"] = {-INFINITY}; }), Error);
}

TEST_F(HeldOutRun, StoredNllIsThatOfTheHeldOutRows) {
  HeldOutChoice choice = loaded(*state_);
  CandidateFit* best = choice.chosen();
  ASSERT_TRUE(best);
  EXPECT_EQ(best->rows(), rows_of_second);
  const CandidateFit::HeldOut found = best->predict_next(judges_of_second);
  std::vector<int> y;
  for (Index k = 0; k < judges_of_second; ++k)
    y.push_back(small_->table.y[small_->table_row(rows_of_second + k)]);
  const std::vector<double> p(found.probability.begin(), found.probability.end());
  Report report;
  choice.report(report);
  ASSERT_FALSE(report.choices.empty());
  EXPECT_NEAR(report.choices[0].chosen.nll, evaluate(p, y).nll, 1e-12);
}

TEST(HeldOutChoice, IsNeededIfThereIsSomethingToChooseAndToChooseBy) {
  const SmallTable table(200);
  const auto needed = [](SmallFit& small, Index rows) {
    return HeldOutChoice::needed(small.plan, first_look(rows));
  };
  SmallFit small(table);
  EXPECT_TRUE(needed(small, 100));
  EXPECT_FALSE(needed(small, 200));  // all rows: nothing is held out
  Options one;
  one.kernel = "se";
  one.warp = Warp::none;
  SmallFit fixed(table, one);
  EXPECT_FALSE(needed(fixed, 100));
  SmallTable rare = table;
  std::fill(rare.y.begin(), rare.y.end(), 0);
  std::fill_n(rare.y.begin(), 11, 1);
  SmallFit few(rare);
  EXPECT_FALSE(needed(few, 100));
}

TEST(HeldOutChoice, WithoutTimeNothingIsTried) {
  Options options;
  options.max_time = 1e-9;
  SmallFit small(SmallTable(200), options);
  HeldOutChoice choice(small.fit, first_look(), std::nullopt, {rows_of_first, 200 - rows_of_first});
  choice.run();
  EXPECT_EQ(choice.chosen(), nullptr);
  EXPECT_TRUE(small.fit.stages.empty());
  Report report;
  choice.report(report);
  EXPECT_TRUE(report.choices.empty());
}

TEST(HeldOutChoice, AStopKeepsTheBestSoFar) {
  Options options;
  options.on_iteration = [](const Progress& now) { return now.iteration < 6; };
  SmallFit small(SmallTable(200), options);
  HeldOutChoice choice(small.fit, first_look(), std::nullopt, {rows_of_first, 200 - rows_of_first});
  choice.run();
  ASSERT_TRUE(choice.chosen());
  EXPECT_LE(small.fit.stages.size(), 3U);
  EXPECT_TRUE(choice.chosen()->point().ok);
  EXPECT_EQ(small.monitor.status(false), Status::interrupted);
}

}  // namespace
}  // namespace induce::testing
