// Which levels of a category are drawn, and what is said about the others.
#include "describe/values.hpp"

#include <gtest/gtest.h>

namespace induce::testing {
namespace {

// Twenty levels far below 0 and one, that most rows have, a little above it.
Effect one_above() {
  Effect effect{.feature = 0, .values = {}, .mean = {}, .lower = {}, .upper = {}};
  for (int level = 0; level <= 20; ++level) {
    effect.values.push_back(level);
    effect.mean.push_back(level == 7 ? 0.1 : -1 - 0.01 * level);
  }
  effect.lower = effect.upper = effect.mean;
  return effect;
}

Names names_with(std::size_t levels) {
  Names names;
  names.classes = {"no", "yes"};
  names.features = {"job"};
  names.columns = {{.kind = ColumnKind::category, .levels = {}}};
  for (std::size_t k = 0; k < levels; ++k) names.columns[0].levels.push_back("level " + std::to_string(k));
  return names;
}

const std::vector<std::size_t> only_curve{0};

TEST(Levels, TheHighestAndTheLowestAreDrawn) {
  EXPECT_EQ(drawn_levels(one_above(), only_curve, 4), (std::vector<std::size_t>{7, 18, 19, 20}));
}

TEST(Levels, AMissingValueIsOneOfThem) {
  Effect effect = one_above();
  effect.missing_mean = effect.missing_lower = effect.missing_upper = {-5};
  EXPECT_EQ(drawn_levels(effect, only_curve, 2), (std::vector<std::size_t>{7, 21}));
}

TEST(Levels, ThoseNotDrawnAreCounted) {
  const Effect effect = one_above();
  const std::vector<std::size_t> drawn{7, 20};
  EXPECT_EQ(hidden_levels(effect, names_with(21), drawn), "19 more levels are not shown");
  // Level 20 stands for all levels without a feature of their own.
  EXPECT_EQ(hidden_levels(effect, names_with(20), drawn), "19 more levels are not shown");
  Effect others = effect;
  others.values[20] = 24;
  EXPECT_EQ(hidden_levels(others, names_with(24), drawn),
            "19 more levels are not shown; (other) stands for 4 rare levels");
}

TEST(Levels, NothingIsSaidIfAllAreDrawn) {
  const Effect effect{.feature = 0, .values = {0, 1}, .mean = {1, -1}, .lower = {1, -1}, .upper = {1, -1}};
  EXPECT_EQ(hidden_levels(effect, names_with(2), drawn_levels(effect, only_curve, 12)), "");
}

}  // namespace
}  // namespace induce::testing
