// The rules of the choice over made-up trials. Oracle: the rules as decide.hpp states them.
#include "train/decide.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernel/kernel.hpp"

namespace induce::testing {
namespace {

constexpr std::size_t rows_judged = 512;
constexpr double loss_spread = 0.2;
const double loss_error =
    loss_spread / std::sqrt(static_cast<double>(rows_judged));  // of the difference between two trials

// Kernels 0 to 2 are plain, 3 to 5 have terms, each from smooth to rough.
constexpr Family family_order[] = {Family::plain, Family::terms};

Trial by_bound(Candidate candidate, double bound) {
  return {.candidate = candidate, .family = family_order[candidate.kernel / 3], .bound = bound, .loss = {}};
}

// The mean loss is .5 less so many standard errors; the difference of two trials varies over rows because they have
// patterns of their own, of the same size: `pattern` is a bit of the row's number.
Trial by_loss(Candidate candidate, double gain, int pattern) {
  Trial trial = by_bound(candidate, -100);
  for (std::size_t i = 0; i < rows_judged; ++i) {
    const double wave = pattern == 0 ? 0 : (i >> (pattern - 1) & 1) ? loss_spread : -loss_spread;
    trial.loss.push_back(0.5 + wave - gain * loss_error);
    trial.weight.push_back(1);
  }
  return trial;
}

struct DecideCase {
  const char* what;
  std::vector<Trial> trials;
  std::optional<std::size_t> chosen;  // index of the trial
};

TEST(Decide, TableOfCases) {
  const std::vector<DecideCase> cases{
      {"nothing was tried", {}, {}},
      {"all failed", {by_bound({0, 0}, -INFINITY), by_bound({1, 0}, -INFINITY)}, {}},
      {"one failed", {by_bound({0, 0}, -INFINITY), by_bound({1, 0}, -50)}, 1},
      {"bound: less than half a nat is no reason", {by_bound({0, 0}, -50), by_bound({1, 0}, -49.6)}, 0},
      {"bound: half a nat is one", {by_bound({0, 0}, -50), by_bound({1, 0}, -49.4)}, 1},
      {"bound: gains do not add up",
       {by_bound({0, 0}, -50), by_bound({1, 0}, -49.7), by_bound({2, 0}, -49.4), by_bound({2, 3}, -49.1)},
       2},
      {"bound: a lower one is no reason", {by_bound({0, 0}, -50), by_bound({0, 3}, -60)}, 0},
      {"loss: equal ones take the first", {by_loss({0, 0}, 0, 0), by_loss({1, 0}, 0, 1)}, 0},
      {"loss: a map needs an error", {by_loss({0, 0}, 0, 0), by_loss({1, 0}, 0.9, 1)}, 0},
      {"loss: a map has an error", {by_loss({0, 0}, 0, 0), by_loss({1, 0}, 1.1, 1)}, 1},
      {"loss: terms may lose one error", {by_loss({0, 0}, 0, 0), by_loss({0, 3}, -0.9, 1)}, 1},
      {"loss: terms may not lose more", {by_loss({0, 0}, 0, 0), by_loss({0, 3}, -1.5, 1)}, 0},
      {"loss: a loss is no reason", {by_loss({0, 0}, 0, 0), by_loss({1, 0}, -3, 1)}, 0},
      {"loss: a failed one is skipped", {by_bound({0, 0}, -INFINITY), by_loss({1, 0}, -3, 1)}, 1},
      {"loss: an interrupted one has no losses", {by_loss({0, 0}, 0, 0), by_bound({1, 0}, -1)}, 0},
      {"loss: the roughest within one error",
       {by_loss({0, 0}, 0, 0), by_loss({0, 1}, -0.5, 1), by_loss({0, 2}, -0.9, 2)},
       2},
      {"loss: not if it is worse by more",
       {by_loss({0, 0}, 0, 0), by_loss({0, 1}, -0.9, 1), by_loss({0, 2}, -1.1, 2)},
       1},
      {"loss: rough ones of another family or map do not count",
       {by_loss({0, 0}, 0, 0), by_loss({1, 2}, 0, 1), by_loss({0, 5}, -1.5, 2)},
       0}};
  for (const DecideCase& each : cases) {
    const Trial* chosen = decide(each.trials);
    ASSERT_EQ(chosen != nullptr, each.chosen.has_value()) << each.what;
    if (chosen) {
      EXPECT_EQ(static_cast<std::size_t>(chosen - each.trials.data()), *each.chosen) << each.what;
    }
  }
}

TEST(Decide, FinalistsAreTheRoughestGoodOnesWithoutAndWithTerms) {
  const std::vector<Trial> trials{by_loss({0, 0}, 0, 0), by_loss({1, 0}, 2, 1), by_loss({1, 3}, -2, 2),
                                  by_loss({1, 4}, -2, 3), by_loss({1, 1}, -4, 4)};
  const std::vector<const Trial*> both = finalists(trials);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0], &trials[1]);  // the rougher one is worse by too much
  EXPECT_EQ(both[1], &trials[3]);
  EXPECT_TRUE(finalists(std::span(trials).first(2)).empty());  // none with terms
  EXPECT_TRUE(finalists({}).empty());
}

TEST(Decide, WeightsCount) {
  std::vector<Trial> trials{by_loss({0, 0}, 0, 0), by_loss({1, 0}, 3, 1)};
  EXPECT_EQ(decide(trials), &trials[1]);
  for (std::size_t i = 0; i < rows_judged; ++i)
    for (Trial& trial : trials) trial.weight[i] = trials[1].loss[i] < 0.5 ? 0 : 1;  // only where it lost
  EXPECT_EQ(decide(trials), &trials[0]);
  EXPECT_GT(trials[1].nll(), trials[0].nll());
}

std::vector<KernelPlan> offered_kernels() {
  std::vector<KernelPlan> plans;
  for (const Family family : family_order)
    for (const std::string shape : {"se", "matern52", "matern32"}) {
      const std::string rest = family == Family::plain ? "" : "+mains+pairs";
      plans.push_back({.name = shape + rest, .layout = {}, .start = {}, .family = family});
    }
  return plans;
}

TEST(NextByBound, MapsThenTerms) {
  std::vector<Trial> trials;
  const auto next = [&] { return next_by_bound(trials, 2, offered_kernels()); };
  EXPECT_EQ(next(), (Candidate{0, 0}));
  trials.push_back(by_bound({0, 0}, -50));
  EXPECT_EQ(next(), (Candidate{1, 0}));
  trials.push_back(by_bound({1, 0}, -40));
  EXPECT_EQ(next(), (Candidate{1, 3}));
  trials.push_back(by_bound({1, 3}, -30));
  EXPECT_EQ(next(), std::nullopt);
}

TEST(NextByLoss, MapsThenShapesThenTermsWithTheShape) {
  const std::vector<Candidate> order{{0, 0}, {1, 0}, {1, 1}, {1, 2}, {1, 5}};
  const std::vector<double> gain{0, 2, 2, 2, 5};
  std::vector<Trial> trials;
  for (std::size_t k = 0; k < order.size(); ++k) {
    EXPECT_EQ(next_by_loss(trials, 2, offered_kernels()), order[k]) << k;
    trials.push_back(by_loss(order[k], gain[k], static_cast<int>(k)));
  }
  EXPECT_EQ(next_by_loss(trials, 2, offered_kernels()), std::nullopt);
  trials.resize(3);
  trials.back() = by_loss(order[2], -2, 3);  // worse: no rougher one
  EXPECT_EQ(next_by_loss(trials, 2, offered_kernels()), (Candidate{1, 3}));
  EXPECT_EQ(next_by_loss(trials, 2, offered_kernels(), false), (Candidate{1, 3}));
}

TEST(NextByLoss, AKernelByHandIsTriedOnce) {
  std::vector<Trial> trials{by_loss({0, 0}, 0, 0)};
  EXPECT_EQ(next_by_loss(trials, 1, {offered_kernels()[0]}), std::nullopt);
  trials[0].family = Family::terms;
  EXPECT_EQ(next_by_loss(trials, 1, {offered_kernels()[3]}), std::nullopt);
}

TEST(DescribeChoices, SayWhy) {
  const std::vector<std::string> maps{"none", "yeo-johnson"};
  const auto of_kernel = [&](double by_terms) {
    const std::vector<Trial> trials{by_loss({0, 0}, 0, 0), by_loss({1, 0}, 5, 1),
                                    by_loss({1, 3}, 5 + by_terms, 2)};
    const std::vector<Chosen> choices = describe_choices(trials, offered_kernels(), maps);
    EXPECT_EQ(choices.size(), 2U);
    EXPECT_EQ(choices.at(1).what, "warp");
    EXPECT_EQ(choices.at(1).chosen.name, "yeo-johnson");
    EXPECT_EQ(choices.at(1).others.at(0).name, "none");
    return choices.at(0);
  };
  const Chosen stays = of_kernel(-2);  // the error of two patterns is the root of two larger
  EXPECT_EQ(stays.what, "kernel");
  EXPECT_EQ(stays.chosen.name, "se");
  EXPECT_EQ(stays.reason, "it has the lowest NLL of held-out rows of the training table");
  EXPECT_EQ(stays.held_out, rows_judged);
  EXPECT_NEAR(stays.chosen.nll, 0.5 - 5 * loss_error, 1e-9);
  EXPECT_EQ(stays.chosen.nll_error, 0);
  EXPECT_EQ(stays.others.size(), 1U);
  EXPECT_NEAR(stays.others.at(0).nll_error, std::sqrt(2.0) * loss_error, 1e-3 * loss_error);
  const Chosen goes = of_kernel(-1);
  EXPECT_NE(goes.reason.find("the richer is taken within one standard error"), std::string::npos)
      << goes.reason;
  EXPECT_EQ(goes.chosen.name, "se+mains+pairs");

  const std::vector<Trial> bounds{by_bound({0, 0}, -50), by_bound({1, 0}, -49.75)};
  const std::vector<Chosen> choices = describe_choices(bounds, offered_kernels(), maps);
  ASSERT_EQ(choices.size(), 1U);
  EXPECT_EQ(choices[0].chosen.bound, -50);
  EXPECT_EQ(choices[0].others.at(0).bound, -49.75);
  EXPECT_EQ(choices[0].held_out, 0U);
  EXPECT_EQ(choices[0].reason, "it is the simplest within 0.5 nats of the highest bound over all rows");
}

TEST(DescribeChoices, WarpsAreComparedWithTheSameKernel) {
  const std::vector<std::string> maps{"none", "yeo-johnson"};
  const auto of_warp = [&](const std::vector<Trial>& trials) {
    const std::vector<Chosen> choices = describe_choices(trials, offered_kernels(), maps);
    EXPECT_EQ(choices.size(), 2U);
    EXPECT_EQ(choices.at(1).what, "warp");
    return choices.at(1);
  };
  const std::vector<Trial> losses{by_loss({0, 0}, 0, 0), by_loss({1, 0}, 0.4, 1), by_loss({0, 3}, 0.2, 2)};
  const Chosen by_rows = of_warp(losses);
  EXPECT_EQ(by_rows.chosen.name, "none");
  EXPECT_EQ(by_rows.chosen.nll, losses[0].nll());
  EXPECT_NE(by_rows.reason.find("yeo-johnson has the lowest NLL"), std::string::npos) << by_rows.reason;
  EXPECT_NE(by_rows.reason.find("the simpler is taken"), std::string::npos) << by_rows.reason;
  EXPECT_NE(by_rows.reason.find("each with se"), std::string::npos) << by_rows.reason;
  const Chosen by_nats = of_warp({by_bound({0, 0}, -50), by_bound({1, 0}, -49.75), by_bound({0, 3}, -40)});
  EXPECT_EQ(by_nats.chosen.bound, -50);
  EXPECT_EQ(by_nats.reason,
            "it is the simplest within 0.5 nats of the highest bound over all rows (each with se)");
}

// The reason for the choice among maps with these bounds, or gains of losses.
std::string reason_of(const std::vector<Trial>& trials) {
  const std::vector<Chosen> choices = describe_choices(trials, offered_kernels(), {"a", "b", "c", "d"});
  return choices.empty() ? "" : choices[0].reason;
}

TEST(DescribeChoices, ReasonsAreTrue) {
  EXPECT_EQ(reason_of({by_bound({0, 0}, -50), by_bound({1, 0}, -50)}),
            "it is the simplest within 0.5 nats of the highest bound over all rows");
  EXPECT_EQ(reason_of({by_bound({0, 0}, -50), by_bound({1, 0}, -50.25)}),
            "it has the highest bound over all rows, by 0.25 nats");
  // The third is taken for its gain over the first; the second is simpler and near the fourth, which is the highest.
  EXPECT_EQ(reason_of({by_bound({0, 0}, -50), by_bound({1, 0}, -49.625), by_bound({2, 0}, -49.375),
                       by_bound({3, 0}, -49.25)}),
            "no richer one has a bound over all rows that is higher by more than 0.5 nats");
  EXPECT_EQ(reason_of({by_loss({0, 0}, 0, 0), by_loss({1, 0}, 0, 0)}),
            "it is the simplest of those with the lowest NLL of held-out rows of the training table");
  const std::string chain = reason_of({by_loss({0, 0}, 0, 0), by_loss({0, 3}, -0.9, 1)});
  EXPECT_NE(chain.find("se has the lowest NLL"), std::string::npos) << chain;
  EXPECT_NE(chain.find("the richer is taken"), std::string::npos) << chain;
  // The third beats the first clearly, as the second does not, though it is a little better than the third.
  const std::string between =
      reason_of({by_loss({0, 0}, 0, 0), by_loss({1, 0}, 0.95, 1), by_loss({2, 0}, 0.9, 0)});
  EXPECT_NE(between.find("b has the lowest NLL"), std::string::npos) << between;
  EXPECT_NE(between.find("that is no clear gain over simpler ones"), std::string::npos) << between;
}

TEST(DescribeChoices, SayWhatIsLeftOfThem) {
  const std::vector<Trial> trials{by_loss({0, 0}, 0, 0), by_loss({0, 3}, 1, 1)};
  std::vector<Chosen> choices = describe_choices(trials, offered_kernels(), {"none"});
  const std::string reason = choices.at(0).reason;
  note_missing_terms(choices, "se+mains:0");
  EXPECT_EQ(choices[0].reason, reason);
  note_missing_terms(choices, "se");
  EXPECT_EQ(choices[0].reason, reason + "; no term gained enough to be kept");
}

}  // namespace
}  // namespace induce::testing
