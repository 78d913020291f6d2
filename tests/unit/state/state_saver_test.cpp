// A computation of two levels that is saved and resumed. Oracle: the same computation without a pause.
#include "state/state_saver.hpp"

#include <gtest/gtest.h>

#include <new>

#include <induce/error.hpp>

namespace induce::testing {
namespace {

// Two rounds of three steps each; ends after `most` steps, as if the process had died.
std::vector<double> compute(StateSaver& saver, int most = 100) {
  int round = 0;
  std::vector<double> done;
  const StateSaver::Section outer(&saver, "outer", [&](Archive& a) {
    a("round", round);
    a("done", done);
  });
  for (; round < 2; ++round) {
    int step = 0;
    const StateSaver::Section inner(&saver, "inner", [&](Archive& a) { a("step", step); });
    while (step < 3) {
      if (most-- == 0) return done;
      done.push_back(10 * round + step++);
      saver.safe_point(false);
    }
  }
  return done;
}

TEST(StateSaver, ResumesWhereItWasSaved) {
  StateSaver none;
  EXPECT_FALSE(none.saves());
  const std::vector<double> want = compute(none);
  ASSERT_EQ(want.size(), 6U);
  for (int most = 1; most <= 6; ++most) {
    std::optional<NamedArrays> last;
    StateSaver first(
        std::nullopt, [&](NamedArrays state) { last = std::move(state); }, 0);
    EXPECT_TRUE(first.saves());
    EXPECT_FALSE(first.resuming());
    compute(first, most);
    ASSERT_TRUE(last);
    StateSaver second(last, {}, 0);
    EXPECT_TRUE(second.resuming());
    EXPECT_EQ(compute(second), want) << most;
    EXPECT_FALSE(second.resuming());
  }
}

TEST(StateSaver, WritesWhenTimeHasPassedOrNow) {
  int writes = 0;
  StateSaver saver(
      std::nullopt, [&](const NamedArrays&) { ++writes; }, 1e6);
  saver.safe_point(false);
  EXPECT_EQ(writes, 0);
  saver.safe_point(true);
  EXPECT_EQ(writes, 1);
}

TEST(StateSaver, LackOfMemoryIsReportedAndEndsNothing) {
  bool full = true;
  StateSaver saver(
      std::nullopt,
      [&](const NamedArrays&) {
        if (full) throw std::bad_alloc();
      },
      0);
  EXPECT_NO_THROW(saver.safe_point(true));
  EXPECT_TRUE(saver.out_of_memory());
  full = false;
  saver.safe_point(true);
  EXPECT_FALSE(saver.out_of_memory());
}

TEST(StateSaver, AMissingSectionIsRefused) {
  NamedArrays state{{"sections", {2}}, {"outer.round", {0}}, {"outer.done", {}}};
  StateSaver saver(state, {}, 0);
  EXPECT_THROW(compute(saver), Error);
}

}  // namespace
}  // namespace induce::testing
