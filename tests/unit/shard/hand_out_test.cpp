// Rows that a driver hands out block by block. Oracle: the rows themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "shard/near_shards.hpp"
#include "shard/remote_all_rows.hpp"

namespace induce::testing {
namespace {

TEST(HandOut, BlocksReachAllShardsOnce) {
  constexpr std::size_t n = 1000, d = 2;
  std::vector<double> x(n * d), weights(n);
  std::vector<int> labels(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i * d] = static_cast<double>(i);
    x[i * d + 1] = static_cast<double>(i % 7);
    labels[i] = static_cast<int>(i % 2);
    weights[i] = 0.1 + static_cast<double>(i % 3);
  }
  const std::vector<Index> order{0, 1};
  for (const int count : {1, 3, 4}) {
    NearShards near(count);
    Workers workers(1);
    Shards shards(near, workers);
    for (std::size_t first = 0; first < n; first += 300) {
      const std::size_t rows = std::min<std::size_t>(300, n - first);
      hand_out(shards, {x.data() + first * d, rows, d}, std::span(labels).subspan(first, rows),
               std::span(weights).subspan(first, rows));
    }
    RemoteAllRows all(shards, order);
    EXPECT_EQ(all.facts().rows, static_cast<Index>(n));
    EXPECT_EQ(all.columns(), static_cast<Index>(d));
    all.order();
    EXPECT_EQ(all.n(), static_cast<Index>(n));
    OwnedRows back = draw_sample(shards, 1);
    ASSERT_EQ(back.n(), static_cast<Index>(n));
    std::vector<bool> seen(n, false);
    for (Index i = 0; i < back.n(); ++i) {
      const auto row = static_cast<std::size_t>(back.X(i, 0));
      EXPECT_FALSE(seen[row]);
      seen[row] = true;
      EXPECT_EQ(back.X(i, 1), x[row * d + 1]);
      EXPECT_EQ(back.labels[static_cast<std::size_t>(i)], labels[row]);
      EXPECT_EQ(back.weights[static_cast<std::size_t>(i)], weights[row]);
    }
  }
}

}  // namespace
}  // namespace induce::testing
