// The ranges of columns. Oracle: ends and distances counted by hand.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "store/column_ranges.hpp"

namespace induce::testing::column_ranges {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

// Columns: 10 to 30, constant, gaps only.
const std::array<double, 12> x{10, 5, gap, 30, 5, gap, gap, 5, gap, 900, 5, gap};

TEST(ColumnRanges, SkipGapsAndRowsWithoutWeight) {
  const std::array<double, 4> weights{1, 2, 1, 0};
  const ColumnRanges ranges = ColumnRanges::find({x.data(), 4, 3}, weights);
  EXPECT_EQ(ranges.lowest[0], 10);
  EXPECT_EQ(ranges.highest[0], 30);
  EXPECT_EQ(ColumnRanges::find({x.data(), 4, 3}, {}).highest[0], 900);
}

TEST(ColumnRanges, FarIsBeyondByMoreThanTheRange) {
  const ColumnRanges ranges = ColumnRanges::find({x.data(), 3, 3}, {});
  EXPECT_FALSE(ranges.far_above(0, 50));
  EXPECT_TRUE(ranges.far_above(0, 50.1));
  EXPECT_FALSE(ranges.far_below(0, -10));
  EXPECT_TRUE(ranges.far_below(0, -10.1));
  EXPECT_FALSE(ranges.far_above(0, gap) || ranges.far_below(0, gap));
  for (const std::size_t column : {1U, 2U})
    EXPECT_FALSE(ranges.far_above(column, 1e9) || ranges.far_below(column, -1e9));
}

TEST(ColumnRanges, PartsGiveTheWhole) {
  const ColumnRanges whole = ColumnRanges::find({x.data(), 4, 3}, {});
  ColumnRanges parts;
  for (const std::size_t row : {3U, 1U, 0U, 2U})
    parts.include(ColumnRanges::find({x.data() + 3 * row, 1, 3}, {}));
  EXPECT_EQ(parts.lowest, whole.lowest);
  EXPECT_EQ(parts.highest, whole.highest);
}

}  // namespace
}  // namespace induce::testing::column_ranges
