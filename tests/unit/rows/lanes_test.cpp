// Lanes cover all rows exactly once, in order, in blocks no larger than promised.
#include "rows/lanes.hpp"

#include <gtest/gtest.h>

namespace induce {
namespace {

TEST(Lanes, CoverAllRowsExactlyOnce) {
  for (const Index m : {1, 5, 63, 64, 100, 513, 1000, 5000}) {
    for (const Index n : {1, 2, 63, 64, 65, 100, 1023, 1024, 1025, 5000, 32767, 32768, 32769, 100003}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", m = " + std::to_string(m));
      const Lanes lanes = Lanes::cut(n, m);
      ASSERT_GE(lanes.count, 1);
      ASSERT_LE(lanes.count, 32);
      Index next = 0;
      for (Index lane = 0; lane < lanes.count; ++lane) {
        const Index before = next;
        lanes.each_block(lane, [&](Index first, Index rows) {
          ASSERT_EQ(first, next);
          ASSERT_GE(rows, 1);
          ASSERT_LE(rows, lanes.block);
          next = first + rows;
        });
        EXPECT_GT(next, before) << "lane " << lane << " is empty";
      }
      EXPECT_EQ(next, n);
    }
  }
}

TEST(Lanes, NoRowsAreNoBlocks) {
  const Lanes lanes = Lanes::cut(0, 10);
  for (Index lane = 0; lane < lanes.count; ++lane)
    lanes.each_block(lane, [](Index, Index) { FAIL() << "a block of nothing"; });
}

// The sums of all lanes together stay below 256 MB, and a block below a megabyte unless m is huge.
TEST(Lanes, RespectMemory) {
  for (const Index m : {10, 100, 1000, 2000, 5000}) {
    const Lanes lanes = Lanes::cut(10'000'000, m);
    EXPECT_LE(lanes.count * m * m * 8, Index{256} << 20) << "m = " << m;
    EXPECT_LE(lanes.block, std::max<Index>(256, 131072 / m)) << "m = " << m;
  }
}

}  // namespace
}  // namespace induce
