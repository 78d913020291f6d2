// Blocks cover all rows exactly once, and a sum over them does not depend on the number of threads. Oracle: counting.
#include "rows/reducer.hpp"

#include <gtest/gtest.h>

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

// The sums of all lanes together stay below 256 MB, and a block below a megabyte unless m is huge.
TEST(Blocks, RespectMemory) {
  for (const Index m : {10, 100, 1000, 2000, 5000}) {
    const Blocks blocks = Blocks::fit_cache(10'000'000, m);
    EXPECT_LE(lanes_for(blocks, m * m) * m * m * 8, Index{256} << 20) << "m = " << m;
    EXPECT_LE(blocks.size, std::max<Index>(256, 131072 / m)) << "m = " << m;
  }
}

TEST(Reducer, AddsEveryBlockOnceWithTheSameBitsForAnyNumberOfThreads) {
  for (const Index n : {0, 1, 1000, 4097, 100003}) {
    Vector want;
    for (const int threads : {1, 2, 3, 8}) {
      Workers workers(threads);
      const Blocks blocks = Blocks::fit_cache(n, 500);
      Reducer<Total> reducer(blocks, lanes_for(blocks, 2), workers);
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

TEST(RowSum, IsASpanOfDoublesThatAddsUp) {
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
