#include "data/distinct_rows.hpp"

#include <gtest/gtest.h>

#include "data/feature_map.hpp"

namespace induce {
namespace {

const std::vector<double> x{3, 1, 0, 2, 3, 1, -0.0, 2, 3, 1, 0, 5};  // rows 0, 2, 4 and rows 1, 3 are equal
const std::vector<int> y{1, 0, 1, 0, 0, 1};

TEST(DistinctRows, EqualRowsOfEqualLabelAreMergedAndSorted) {
  const auto table = distinct_rows({x.data(), 6, 2}, y, {});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->x, (std::vector<double>{0, 2, 0, 5, 3, 1, 3, 1}));
  EXPECT_EQ(table->y, (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(table->weight, (std::vector<double>{2, 1, 1, 2}));
}

TEST(DistinctRows, WeightsAndCopiesHaveOneForm) {
  const std::vector<double> distinct{0, 5, 3, 1, 9, 9, 0, 2, 3, 1}, weights{1, 2, 0, 2, 1};
  const std::vector<int> labels{1, 1, 0, 0, 0};
  const auto by_weight = distinct_rows({distinct.data(), 5, 2}, labels, weights),
             by_copies = distinct_rows({x.data(), 6, 2}, y, {});
  ASSERT_TRUE(by_weight && by_copies);
  EXPECT_EQ(by_weight->x, by_copies->x);
  EXPECT_EQ(by_weight->y, by_copies->y);
  EXPECT_EQ(by_weight->weight, by_copies->weight);
}

TEST(DistinctRows, ATableWithoutRepeatsIsTakenAsItIs) {
  const std::vector<double> distinct{3, 1, 2}, ones{1, 1, 1};
  const std::vector<int> labels{0, 1, 0};
  EXPECT_FALSE(distinct_rows({distinct.data(), 3, 1}, labels, {}));
  EXPECT_FALSE(distinct_rows({distinct.data(), 3, 1}, labels, ones));
}

// The oracle is the standardizer of the copies themselves.
TEST(DistinctRows, WeightedFeatureMapIsThatOfTheCopies) {
  const std::vector<double> distinct{0.5, -2, 7, 1e3}, weights{1, 4, 2, 3},
      copies{0.5, -2, -2, -2, -2, 7, 7, 1e3, 1e3, 1e3};
  const auto weighted = FeatureMap::standardized({distinct.data(), 4, 1}, weights).standardizer,
             copied = FeatureMap::standardized({copies.data(), 10, 1}).standardizer;
  EXPECT_NEAR(weighted.shift[0], copied.shift[0], 1e-12 * copied.scale[0]);
  EXPECT_NEAR(weighted.scale[0], copied.scale[0], 1e-12 * copied.scale[0]);
}

}  // namespace
}  // namespace induce
