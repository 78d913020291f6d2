// The thread pool: runs every task once, passes exceptions to the caller and survives them.
#include "machine/workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace induce {
namespace {

void expect_each_task_once(Workers& workers, Index count) {
  std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
  std::atomic<bool> known_worker = true;
  workers.run(count, [&](Index number, int worker) {
    ++runs[static_cast<std::size_t>(number)];
    if (worker < 0 || worker >= workers.size()) known_worker = false;
  });
  EXPECT_TRUE(known_worker);
  for (Index i = 0; i < count; ++i) EXPECT_EQ(runs[static_cast<std::size_t>(i)], 1) << "task " << i;
}

TEST(Workers, RunEveryTaskOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    Workers workers(threads);
    EXPECT_EQ(workers.size(), threads);
    for (const Index count : {0, 1, 2, 7, 8, 9, 100}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(count) + " tasks");
      for (int again = 0; again < 20; ++again) expect_each_task_once(workers, count);
    }
  }
}

// A worker never runs two tasks at once, so buffers can be per worker.
TEST(Workers, AWorkerRunsOneTaskAtATime) {
  Workers workers(4);
  std::vector<std::atomic<int>> inside(4);
  std::atomic<bool> alone = true;
  workers.run(2000, [&](Index, int worker) {
    auto& mine = inside[static_cast<std::size_t>(worker)];
    if (++mine != 1) alone = false;
    --mine;
  });
  EXPECT_TRUE(alone);
}

std::string caught(Workers& workers, Index count, Index first_bad) {
  try {
    workers.run(count, [&](Index number, int) {
      if (number >= first_bad) throw std::runtime_error("task " + std::to_string(number));
    });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Workers, AnExceptionReachesTheCallerAndThePoolStillWorks) {
  for (const int threads : {1, 2, 8}) {
    Workers workers(threads);
    for (int again = 0; again < 20; ++again) {
      EXPECT_EQ(caught(workers, 50, 49), "task 49");  // one failure among many
      EXPECT_EQ(caught(workers, 50, 7), "task 7");    // the lowest number, not the first in time
      EXPECT_EQ(caught(workers, 1, 0), "task 0");
      EXPECT_EQ(caught(workers, 50, 50), "nothing");
      expect_each_task_once(workers, 50);
    }
  }
}

// The condition is evaluated only on the caller's thread; every task ends at its next stop point, and the
// pool still works.
TEST(Workers, StopPointsEndARun) {
  for (const int threads : {1, 2, 8}) {
    Workers workers(threads);
    const auto caller = std::this_thread::get_id();
    int evaluations = 0;
    workers.stop_when([&] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      return ++evaluations > 5;
    });
    std::atomic<long> steps = 0;
    EXPECT_THROW(workers.run(100,
                             [&](Index, int worker) {
                               for (int step = 0; step < 1000000; ++step, ++steps) workers.stop_point(worker);
                             }),
                 Stopped);
    EXPECT_LT(steps, 100L * 1000000);
    EXPECT_EQ(evaluations, 6);
    workers.stop_when(nullptr);
    expect_each_task_once(workers, 50);
  }
}

TEST(Workers, DefaultsToAllAvailableCores) {
  EXPECT_GE(available_cores(), 1);
  EXPECT_EQ(Workers().size(), available_cores());
}

}  // namespace
}  // namespace induce
