// Blocks cover all rows exactly once, and sums over them do not depend on the number of threads.
#include "rows/reducer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include <atomic>
#include <cmath>
#include <string>

namespace induce {
namespace {

struct Total : RowSum {
  void clear() { numbers_.setZero(2); }
  double& first() { return numbers_[0]; }
  double& second() { return numbers_[1]; }
};

TEST(Blocks, CoverAllRowsExactlyOnce) {
  Workers workers(2);
  for (const Index m : {1, 5, 63, 64, 100, 513, 1000, 5000}) {
    for (const Index n : {0, 1, 2, 63, 64, 65, 100, 1023, 1024, 1025, 5000, 32767, 32768, 32769, 100003}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", m = " + std::to_string(m));
      const Blocks blocks = Blocks::fit_cache(n, m);
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(n));
      for_each_block(blocks, workers, [&](Index first, Index rows, int /*worker*/) {
        EXPECT_GE(rows, 1);
        EXPECT_LE(rows, blocks.size);
        for (Index i = first; i < first + rows; ++i) ++seen[static_cast<std::size_t>(i)];
      });
      for (const auto& times : seen) ASSERT_EQ(times, 1);
    }
  }
}

// A block is at most a megabyte unless m is very large.
TEST(Blocks, FitTheCache) {
  for (const Index m : {10, 100, 1000, 2000, 5000})
    EXPECT_LE(Blocks::fit_cache(10'000'000, m).size, std::max<Index>(256, 131072 / m)) << "m = " << m;
}

TEST(SumTree, HasFewLeavesUntilTheyAreLarge) {
  EXPECT_EQ(SumTree::over({0, 256}).leaves(), 0);
  EXPECT_EQ(SumTree::over({1, 256}).leaves(), 1);
  EXPECT_EQ(SumTree::over({1, 256}).levels(), 0);
  EXPECT_EQ(SumTree::over({5 * 256, 256}).leaves(), 5);
  EXPECT_EQ(SumTree::over({5 * 256, 256}).levels(), 3);
  for (const Index blocks : {64, 65, 100, 1000, 4096, 5000, 1000000}) {
    const SumTree tree = SumTree::over({blocks * 256, 256});
    EXPECT_GT(tree.leaves(), 32) << blocks;
    EXPECT_TRUE(tree.leaves() <= 64 || tree.leaf_blocks == 64) << blocks;
    EXPECT_EQ(tree.nodes(tree.levels()), 1) << blocks;
    EXPECT_LE(tree.max_sums(2), 2 * tree.levels() * 3 + 4);
  }
}

// The order of addition: a node is left plus right; a last node without a sibling is its parent.
double by_recursion(const std::vector<double>& leaves, std::size_t first, std::size_t size) {
  if (size == 1) return leaves[first];
  const std::size_t half = size / 2;
  const double left = by_recursion(leaves, first, half);
  return first + half < leaves.size() ? left + by_recursion(leaves, first + half, half) : left;
}

TEST(Reducer, AddsInTheOrderOfTheTree) {
  for (const Index n : {1, 2, 3, 7, 64, 65, 500, 9999}) {
    const Blocks blocks{n, 1};
    const SumTree tree = SumTree::over(blocks);
    const auto value = [](Index i) { return std::exp(10 * std::sin(static_cast<double>(i * i))); };
    std::vector<double> leaves(static_cast<std::size_t>(tree.leaves()));
    for (Index i = 0; i < n; ++i) leaves[static_cast<std::size_t>(i / tree.leaf_blocks)] += value(i);
    for (const int threads : {1, 3}) {
      Workers workers(threads);
      Reducer<Totals<1>> reducer(blocks, workers);
      const double got = reducer.add_up(
          [](Totals<1>& sum) { sum.clear(); },
          [&](Index first, Index /*rows*/, int /*worker*/, Totals<1>& sum) { sum[0] += value(first); })[0];
      EXPECT_EQ(got, by_recursion(leaves, 0, std::size_t{1} << tree.levels())) << n;
    }
  }
}

TEST(Reducer, CanBeReusedAfterBeingStopped) {
  Workers workers(2);
  Reducer<Totals<1>> reducer({1000, 10}, workers);
  const auto count = [&] {
    return reducer.add_up(
        [](Totals<1>& sum) { sum.clear(); },
        [](Index, Index rows, int, Totals<1>& sum) {
          std::this_thread::sleep_for(std::chrono::microseconds(50));  // so that both threads get blocks
          sum[0] += static_cast<double>(rows);
        })[0];
  };
  int asked = 0;
  workers.stop_when([&] { return ++asked > 5; });
  EXPECT_THROW(count(), Stopped);
  workers.stop_when(nullptr);
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(count(), 1000);
}

TEST(Reducer, AddsEveryBlockOnceWithTheSameBitsForAnyNumberOfThreads) {
  for (const Index n : {0, 1, 1000, 4097, 100003}) {
    Vector want;
    for (const int threads : {1, 2, 3, 8}) {
      Workers workers(threads);
      const Blocks blocks = Blocks::fit_cache(n, 500);
      Reducer<Total> reducer(blocks, workers);
      for (int repeat = 0; repeat < 3; ++repeat) {
        Total& total = reducer.add_up([](Total& sum) { sum.clear(); },
                                      [&](Index first, Index rows, int /*worker*/, Total& sum) {
                                        for (Index i = first; i < first + rows; ++i) {
                                          sum.first() += 1;
                                          sum.second() += std::sin(static_cast<double>(i));
                                        }
                                      });
        EXPECT_EQ(total.first(), static_cast<double>(n));
        const Vector got{{total.first(), total.second()}};
        if (want.size() == 0) want = got;
        EXPECT_TRUE(got == want) << threads << " threads, n = " << n;
      }
    }
  }
}

TEST(RowSum, AddsAndExposesItsValues) {
  Total a, b;
  a.clear();
  b.clear();
  a.first() = 1;
  b.first() = 2;
  b.second() = 5;
  a += b;
  ASSERT_EQ(a.numbers().size(), 2u);
  EXPECT_EQ(a.numbers()[0], 3);
  EXPECT_EQ(a.numbers()[1], 5);
}

}  // namespace
}  // namespace induce
