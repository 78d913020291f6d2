// Blocks cover all rows exactly once, and sums over them do not depend on the number of threads.
#include "rows/reducer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>

namespace induce {
namespace {

struct Total : RowSum {
  void clear() { numbers_.setZero(2); }
  double& first() { return numbers_[0]; }
  double& second() { return numbers_[1]; }
};

TEST(RowTree, BlocksCoverAllRowsExactlyOnce) {
  for (const Index m : {1, 5, 63, 64, 100, 513, 1000, 5000}) {
    for (const Index n : {0, 1, 2, 63, 64, 65, 100, 1023, 1024, 1025, 5000, 32767, 32768, 32769, 100003}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", m = " + std::to_string(m));
      const RowTree tree = RowTree::over(Leaves::of(n), Blocks::rows_in_cache(m));
      Index row = 0;
      for (Index block = 0; block < tree.blocks(); ++block) {
        ASSERT_EQ(tree.first(block), row);
        ASSERT_GE(tree.rows(block), 1);
        ASSERT_LE(tree.rows(block), Blocks::rows_in_cache(m));
        EXPECT_EQ(tree.number(row), block);
        row += tree.rows(block);
      }
      EXPECT_EQ(row, n);
      EXPECT_EQ(tree.leaf_begin.back(), tree.blocks());
    }
  }
}

// A block is at most a megabyte unless m is very large.
TEST(Blocks, FitTheCache) {
  for (const Index m : {10, 100, 1000, 2000, 5000})
    EXPECT_LE(Blocks::rows_in_cache(m), std::max<Index>(256, 131072 / m)) << "m = " << m;
}

TEST(SumTree, HasFewLeavesUntilTheyAreLarge) {
  EXPECT_EQ(Leaves::of(0).total, 0);
  EXPECT_EQ(Leaves::of(1).total, 1);
  EXPECT_EQ(SumTree{1}.levels(), 0);
  EXPECT_EQ(SumTree{5}.levels(), 3);
  for (const Index n : {32768, 32769, 100000, 1000000, 4194304, 5000000, 1000000000}) {
    const SumTree tree{Leaves::of(n).total};
    EXPECT_GT(tree.leaves, 32) << n;
    EXPECT_TRUE(tree.leaves <= 64 || Leaves::size(n) == 65536) << n;
    EXPECT_EQ(tree.nodes(tree.levels()), 1) << n;
    EXPECT_LE(tree.max_sums(tree.leaves, 2), 2 * tree.levels() * 4 + 4);
  }
}

TEST(SumTree, HasWorkForThreadsInSmallTables) {
  EXPECT_EQ(Leaves::of(64).total, 1);
  for (const Index n : {449, 600, 2060, 4095, 4096}) {
    EXPECT_GE(Leaves::of(n).total, 7) << n;
    EXPECT_LE(Leaves::of(n).total, 8) << n;
  }
}

// The order of addition: a node is left plus right; a last node without a sibling is its parent.
double by_recursion(const std::vector<double>& leaves, std::size_t first, std::size_t size) {
  if (size == 1) return leaves[first];
  const std::size_t half = size / 2;
  const double left = by_recursion(leaves, first, half);
  return first + half < leaves.size() ? left + by_recursion(leaves, first + half, half) : left;
}

double value_of_row(Index i) { return std::exp(10 * std::sin(static_cast<double>(i * i))); }

double sum_of_tree(Index n) {
  const Leaves all = Leaves::of(n);
  std::vector<double> leaves(static_cast<std::size_t>(all.total));
  for (Index i = 0; i < n; ++i) leaves[static_cast<std::size_t>(i / Leaves::size(n))] += value_of_row(i);
  return by_recursion(leaves, 0, std::size_t{1} << SumTree{all.total}.levels());
}

const auto clear_total = [](Totals<1>& sum) { sum.clear(); };
auto add_rows_from(Index offset) {
  return [offset](Index first, Index rows, int /*worker*/, Totals<1>& sum) {
    for (Index i = first; i < first + rows; ++i) sum[0] += value_of_row(offset + i);
  };
}

TEST(Reducer, AddsInTheOrderOfTheTree) {
  for (const Index n : {1, 2, 511, 513, 5000, 33000, 99999}) {
    for (const int threads : {1, 3}) {
      Workers workers(threads);
      Reducer<Totals<1>> reducer(Blocks{n, 100}, workers);
      EXPECT_EQ(reducer.add_up(clear_total, add_rows_from(0))[0], sum_of_tree(n)) << n;
    }
  }
}

// Owners of consecutive leaves sum what they have; the tree is finished from their subtrees, in any order.
TEST(Reducer, SubtreesOfAnyOwnersGiveTheBitsOfTheWhole) {
  for (const Index n : {1, 700, 5000, 33000, 99999}) {
    const Index leaves = Leaves::of(n).total;
    for (const Index owners : {1, 2, 3, 4, 7, 64}) {
      std::vector<std::pair<Subtree, Totals<1>>> found;
      for (Index owner = owners; owner-- > 0;) {
        const Index first = leaves * owner / owners, count = leaves * (owner + 1) / owners - first;
        const Leaves part = Leaves::part(n, first, count);
        Workers workers(2);
        Reducer<Totals<1>> reducer(RowTree::over(part, 64), workers);
        reducer.add_up(clear_total, add_rows_from(first * Leaves::size(n)));
        Index subtrees = 0;
        reducer.for_each_subtree([&](Subtree at, const Totals<1>& sum) {
          if (count > 0) found.emplace_back(at, sum);
          ++subtrees;
        });
        EXPECT_LE(subtrees, count == 0 ? 0 : 2 * SumTree{leaves}.levels() + 1);
      }
      WaitingSums<Totals<1>> waiting(SumTree{leaves});
      for (auto& [at, sum] : found) add_subtree(waiting, at, sum);
      ASSERT_NE(waiting.root(), nullptr);
      EXPECT_EQ((*waiting.root())[0], sum_of_tree(n)) << n << " rows, " << owners << " owners";
    }
  }
}

TEST(Reducer, CanBeReusedAfterBeingStopped) {
  Workers workers(2);
  Reducer<Totals<1>> reducer(Blocks{100000, 10}, workers);
  const auto count = [&] {
    return reducer.add_up(
        [](Totals<1>& sum) { sum.clear(); },
        [](Index, Index rows, int, Totals<1>& sum) {
          std::this_thread::sleep_for(std::chrono::microseconds(5));  // so that both threads get blocks
          sum[0] += static_cast<double>(rows);
        })[0];
  };
  int asked = 0;
  workers.stop_when([&] { return ++asked > 5; });
  EXPECT_THROW(count(), Stopped);
  workers.stop_when(nullptr);
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(count(), 100000);
}

// Oracle: the error of the first leaf, as in a loop over the rows. There are more leaves than sums.
TEST(Reducer, ReportsTheFirstErrorHoweverManyLeavesFail) {
  constexpr Index n = 64 * 512;
  for (const int threads : {1, 2, 3})
    for (const Index step : {1, 2, 7}) {
      Workers workers(threads);
      Reducer<Totals<1>> reducer(Blocks{n, 512}, workers);
      const auto fail = [&](Index first, Index /*rows*/, int /*worker*/, Totals<1>& /*sum*/) {
        if ((first / 512) % step == step - 1) throw std::runtime_error(std::to_string(first / 512));
      };
      for (int repeat = 0; repeat < 3; ++repeat) try {
          reducer.add_up(clear_total, fail);
          FAIL();
        } catch (const std::runtime_error& error) {
          EXPECT_EQ(error.what(), std::to_string(step - 1)) << threads << " threads";
        }
      EXPECT_EQ(reducer.add_up(clear_total, add_rows_from(0))[0], sum_of_tree(n));
    }
}

TEST(Reducer, AddsEveryBlockOnceWithTheSameBitsForAnyNumberOfThreads) {
  for (const Index n : {0, 1, 1000, 4097, 100003}) {
    Vector want;
    for (const int threads : {1, 2, 3, 8}) {
      Workers workers(threads);
      Reducer<Total> reducer(Blocks{n, Blocks::rows_in_cache(500)}, workers);
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
