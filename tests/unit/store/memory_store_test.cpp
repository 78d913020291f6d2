// Merging equal rows. Oracle: hand counts.
#include <gtest/gtest.h>

#include <map>

#include "linalg/random.hpp"
#include "store/memory_store.hpp"

namespace induce {
namespace {

TEST(MemoryStore, CountsRowsWithEqualFeaturesAndLabels) {
  const std::vector<double> x{1, 2, 3, 4, 1, 2, 1, 2, -0.0, 5, 0.0, 5};
  const std::vector<int> y{0, 1, 0, 1, 1, 1};
  Workers workers(2);
  const MemoryStore merged({x.data(), 6, 2}, y, {}, {}, workers);
  std::map<std::pair<double, int>, double> weight;
  for (Index i = 0; i < merged.n(); ++i) weight[{merged.row(i)[0], merged.label(i)}] = merged.weight()[i];
  const std::map<std::pair<double, int>, double> want{{{1, 0}, 2}, {{1, 1}, 1}, {{3, 1}, 1}, {{0, 1}, 2}};
  EXPECT_EQ(weight, want);
}

TEST(MemoryStore, SumsWeightsAndOmitsZeros) {
  const std::vector<double> x{1, 2, 1, 3}, weights{0.5, 0, 2, 1};
  const std::vector<int> y{1, 0, 1, 0};
  Workers workers(1);
  const MemoryStore merged({x.data(), 4, 1}, y, weights, {}, workers);
  ASSERT_EQ(merged.n(), 2);
  EXPECT_EQ(merged.weight().sum(), 3.5);
  for (Index i = 0; i < 2; ++i) EXPECT_EQ(merged.weight()[i], merged.row(i)[0] == 1 ? 2.5 : 1);
}

TEST(MemoryStore, OrderOfTheTableDoesNotMatter) {
  Random random(3);
  std::vector<double> x(300), reversed;
  for (double& value : x) value = double(random.below(4));
  std::vector<int> y(100), y_reversed;
  for (int& label : y) label = int(random.below(2));
  for (std::size_t i = 100; i-- > 0;) {
    reversed.insert(reversed.end(), x.begin() + long(3 * i), x.begin() + long(3 * i + 3));
    y_reversed.push_back(y[i]);
  }
  Workers workers(2);
  const MemoryStore a({x.data(), 100, 3}, y, {}, {}, workers),
      b({reversed.data(), 100, 3}, y_reversed, {}, {}, workers);
  ASSERT_EQ(a.n(), b.n());
  EXPECT_LT(a.n(), 90);
  EXPECT_EQ(a.weight(), b.weight());
  for (Index i = 0; i < a.n(); ++i)
    for (int f = 0; f < 3; ++f) EXPECT_EQ(a.row(i)[f], b.row(i)[f]);
}

// Two of three copies with their own weights are drawn: each counts with its own, and they are one row.
TEST(Draw, CopiesAreDrawnOneByOneAndMerged) {
  const std::vector<double> x{1, 1, 2, 1}, weights{0.5, 2, 1, 4};
  const std::vector<int> y{1, 1, 0, 1};
  Workers workers(1);
  const MemoryStore rows({x.data(), 4, 1}, y, weights, {}, workers);
  ASSERT_EQ(rows.user_rows(), 4);
  ASSERT_EQ(rows.n(), 2);
  std::vector<Index> two;  // the copies of weight 2 and 4
  for (Index k = 0; k < 4; ++k)
    if (weights[static_cast<std::size_t>(rows.table_row_of_user(k))] >= 2) two.push_back(k);
  const Draw drawn = rows.draw(two);
  ASSERT_EQ(drawn.distinct.size(), 1U);
  EXPECT_EQ(rows.row(drawn.distinct[0])[0], 1);
  EXPECT_EQ(drawn.weight[0], 6);
  EXPECT_EQ(drawn.copies()[0], 2);
  EXPECT_EQ(drawn.place, (std::vector<Index>{0, 0}));
  EXPECT_EQ(drawn.own_weight.sum(), 6);
}

}  // namespace
}  // namespace induce
