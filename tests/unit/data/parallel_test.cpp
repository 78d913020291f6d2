// Parts over threads: each runs once, and the lowest failure is the one that is reported.
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "data/parallel.hpp"

namespace induce::test {
namespace {

TEST(Parallel, EveryPartRunsOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    for (const std::size_t parts : {0U, 1U, 3U, 100U}) {
      std::vector<std::atomic<int>> runs(parts);
      for_each_part(parts, threads, [&](std::size_t part) { ++runs[part]; });
      for (const auto& count : runs) EXPECT_EQ(count, 1);
    }
  }
}

TEST(Parallel, TheLowestFailureIsThrown) {
  for (const int threads : {1, 2, 5}) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      try {
        for_each_part(100, threads, [](std::size_t part) {
          if (part == 17 || part == 18 || part > 60) throw std::runtime_error(std::to_string(part));
        });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "17");
      }
    }
  }
}

TEST(Parallel, ThreadCount) {
  EXPECT_EQ(thread_count(3), 3);
  EXPECT_GE(thread_count(0), 1);
}

}  // namespace
}  // namespace induce::test
