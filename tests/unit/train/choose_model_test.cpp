// Which model a table of some size gets. Oracles: the stated rules over made-up losses, which replace those of a run in its
// stored state; the metrics of the held-out rows.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>
#include <induce/metrics.hpp>

#include "small_fit.hpp"
#include "train/choose_model.hpp"

namespace induce::testing {
namespace {

constexpr Index rows_of_first = 100, held_out_rows = 300;

Stage first_look(Index rows = rows_of_first) {
  return {.rows = rows, .m = 5, .tolerance = 5e-2, .patience = 0, .last = false, .max_iter = 4};
}

struct ChoiceRun {
  explicit ChoiceRun(SmallFit& of) : small(of), choice(small.fit, first_look()) {}
  NamedArrays state() {
    NamedArrays stored;
    Archive save(stored, Archive::Direction::save);
    choice.archive(save);
    return stored;
  }
  SmallFit& small;
  ModelChoice choice;
  std::vector<Step> ladder{};
};

// A run, whose trials then get other predictions.
class MadeUpLosses : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    small_ = new SmallFit(SmallTable(rows_of_first + held_out_rows));
    ChoiceRun run(*small_);
    run.choice.run(run.ladder);
    state_ = new NamedArrays(run.state());
  }
  static void TearDownTestSuite() {
    delete state_;
    delete small_;
  }

  static std::size_t trials() { return static_cast<std::size_t>(state_->at("trials")[0]); }
  static Choice choice_of(std::size_t trial) {
    const std::string name = "trial" + std::to_string(trial) + ".choice.";
    return {static_cast<std::size_t>(state_->at(name + "map")[0]),
            static_cast<std::size_t>(state_->at(name + "kernel")[0]),
            state_->at(name + "short_start")[0] != 0};
  }
  static Family family_of(const Choice& choice) { return small_->plan.kernels[choice.kernel].family; }

  // The map of the trials with an additive part: the one that was best in the run.
  static std::size_t best_map() {
    for (std::size_t k = 0; k < trials(); ++k)
      if (family_of(choice_of(k)) == Family::additive) return choice_of(k).map;
    return 0;
  }

  static constexpr double spread = 0.2;
  static inline const double error = spread / std::sqrt(static_cast<double>(held_out_rows));

  // Losses are 1/2. Those with the best map are lower by so many standard errors of the difference, those with an additive
  // part by as many more.
  static Choice chosen(double by_map, double by_additive, Report* report = nullptr) {
    NamedArrays stored = *state_;
    for (std::size_t trial = 0; trial < trials(); ++trial) {
      const std::string name = "trial" + std::to_string(trial);
      std::vector<double>& probability = stored[name + ".probability"];
      const std::vector<double>& label = stored[name + ".label"];
      const Choice choice = choice_of(trial);
      for (std::size_t i = 0; i < label.size(); ++i) {
        double loss = 0.5;
        if (choice.map == best_map()) loss += (i % 2 ? spread : -spread) - by_map * error;
        if (family_of(choice) == Family::additive)
          loss += (i / 2 % 2 ? spread : -spread) - by_additive * error;
        probability[i] = label[i] > 0 ? std::exp(-loss) : 1 - std::exp(-loss);
      }
    }
    ModelChoice choice(small_->fit, first_look());
    Archive load(stored, Archive::Direction::load);
    choice.archive(load);
    const Candidate* best = choice.best();
    EXPECT_TRUE(best);
    if (report) choice.report(*report);
    return best ? best->choice() : Choice{};
  }

  static SmallFit* small_;
  static NamedArrays* state_;
};
SmallFit* MadeUpLosses::small_ = nullptr;
NamedArrays* MadeUpLosses::state_ = nullptr;

TEST_F(MadeUpLosses, TheRunTriedMapsAndAdditiveParts) {
  int additive = 0, short_starts = 0;
  for (std::size_t k = 0; k < trials(); ++k) {
    additive += family_of(choice_of(k)) == Family::additive;
    short_starts += choice_of(k).short_start;
  }
  EXPECT_GT(best_map(), 0U);  // the first feature has heavy tails
  EXPECT_GT(additive, 1);
  EXPECT_EQ(short_starts, 1);
}

TEST_F(MadeUpLosses, EqualOnesTakeTheFirstMapWithoutAnAdditivePart) {
  const Choice choice = chosen(0, 0);
  EXPECT_EQ(choice.map, 0U);
  EXPECT_EQ(family_of(choice), Family::plain);
}

TEST_F(MadeUpLosses, AWarpMustGainHalfAStandardError) {
  EXPECT_EQ(chosen(0.4, 0).map, 0U);
  EXPECT_EQ(chosen(0.6, 0).map, best_map());
}

TEST_F(MadeUpLosses, AnAdditivePartMustGainOneStandardError) {
  EXPECT_EQ(family_of(chosen(5, 0.9)), Family::plain);
  EXPECT_EQ(family_of(chosen(5, 1.1)), Family::additive);
}

TEST_F(MadeUpLosses, ALossIsNoReason) {
  EXPECT_EQ(chosen(-3, 0).map, 0U);
  EXPECT_EQ(family_of(chosen(5, -3)), Family::plain);
}

TEST_F(MadeUpLosses, TheReportSaysWhy) {
  const auto of_kernel = [](double by_additive) {
    Report report;
    chosen(5, by_additive, &report);
    for (const Chosen& each : report.choices)
      if (each.what == "kernel") return each;
    ADD_FAILURE() << "no choice of a kernel";
    return Chosen{};
  };
  const Chosen stays = of_kernel(0.9);
  EXPECT_NE(stays.reason.find("within one standard error"), std::string::npos) << stays.reason;
  EXPECT_EQ(stays.held_out, static_cast<std::size_t>(held_out_rows));
  EXPECT_NEAR(stays.chosen.nll, 0.5 - 5 * error, 1e-9);
  EXPECT_EQ(stays.chosen.nll_error, 0);
  const Chosen goes = of_kernel(3);
  EXPECT_EQ(goes.reason, "it has the lowest NLL of held-out rows of the training table");
  EXPECT_NE(goes.chosen.name.find("additive"), std::string::npos) << goes.chosen.name;
  EXPECT_NEAR(goes.chosen.nll, 0.5 - 8 * error, 1e-9);
  for (const Chosen::Candidate& other : goes.others)
    if (other.name.find("additive") == std::string::npos) {
      EXPECT_NEAR(other.nll_error, error, 1e-3 * error);
    }
}

TEST_F(MadeUpLosses, DamagedStateIsRefused) {
  const auto load = [&](const auto& damage) {
    NamedArrays stored = *state_;
    damage(stored);
    ModelChoice choice(small_->fit, first_look());
    Archive archive(stored, Archive::Direction::load);
    choice.archive(archive);
  };
  EXPECT_NO_THROW(load([](NamedArrays&) {}));
  EXPECT_THROW(load([](NamedArrays& stored) { stored["trials"] = {1000}; }), Error);
  EXPECT_THROW(load([](NamedArrays& stored) { stored["trial0.probability"].pop_back(); }), Error);
  EXPECT_THROW(load([](NamedArrays& stored) { stored["trial0.label"][0] = 7; }), Error);
  EXPECT_THROW(load([](NamedArrays& stored) { stored["trial0.choice.kernel"] = {100}; }), Error);
}

TEST_F(MadeUpLosses, StoredNllIsThatOfTheHeldOutRows) {
  ModelChoice choice(small_->fit, first_look());
  NamedArrays stored = *state_;
  Archive load(stored, Archive::Direction::load);
  choice.archive(load);
  Candidate* best = choice.best();
  ASSERT_TRUE(best);
  const Candidate::HeldOut found = best->predict_next(held_out_rows);
  std::vector<int> y;
  for (Index k = 0; k < held_out_rows; ++k)
    y.push_back(small_->table.y[small_->table_row(rows_of_first + k)]);
  const std::vector<double> p(found.probability.begin(), found.probability.end());
  Report report;
  choice.report(report);
  ASSERT_FALSE(report.choices.empty());
  EXPECT_NEAR(report.choices[0].chosen.nll, evaluate(p, y).nll, 1e-12);
}

TEST(ModelChoice, IsNeededIfThereIsSomethingToChooseAndToChooseBy) {
  const SmallTable table(200);
  const auto needed = [](SmallFit& small, Index rows) {
    return ModelChoice(small.fit, first_look(rows)).needed();
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

TEST(ModelChoice, WithoutTimeNothingIsTried) {
  Options options;
  options.max_time = 0;
  SmallFit small(SmallTable(200), options);
  ChoiceRun run(small);
  run.choice.run(run.ladder);
  EXPECT_EQ(run.choice.best(), nullptr);
  EXPECT_TRUE(run.ladder.empty());
  Report report;
  run.choice.report(report);
  EXPECT_TRUE(report.choices.empty());
}

TEST(ModelChoice, AStopKeepsTheBestSoFar) {
  Options options;
  options.on_iteration = [](const Progress& now) { return now.iteration < 6; };
  SmallFit small(SmallTable(200), options);
  ChoiceRun run(small);
  run.choice.run(run.ladder);
  ASSERT_TRUE(run.choice.best());
  EXPECT_LE(run.ladder.size(), 3U);
  EXPECT_TRUE(run.choice.best()->point().ok);
  EXPECT_EQ(small.monitor.status(false), Status::interrupted);
}

}  // namespace
}  // namespace induce::testing
