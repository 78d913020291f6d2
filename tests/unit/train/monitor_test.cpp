// The clock, the budget and the stop requests of a fit. Oracles: stated numbers, and a second clock.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include <induce/error.hpp>

#include "state/archive.hpp"
#include "train/monitor.hpp"

namespace induce::testing {
namespace {

using namespace std::chrono_literals;

class MonitorTest : public ::testing::Test {
 protected:
  Monitor monitor() { return Monitor(options, max_iter, no_model); }

  // An iteration whose model and true bound nobody may ask for.
  static void iterate(Monitor& monitor, double bound, long passes = 1) {
    monitor.after_iteration(
        bound, passes, []() -> Fitted { throw std::logic_error("the model is not needed"); },
        []() -> double { throw std::logic_error("the true bound is not needed"); });
  }

  static Model no_model(const Fitted&, const FeatureMap&) { throw std::logic_error("no model"); }

  Options options;
  int max_iter = 100;
  const FeatureMap map{{}, {}, {}, Standardizer::identity(1)};
  Workers workers{2};
};

TEST_F(MonitorTest, HistoryKnowsItsStages) {
  Monitor now = monitor();
  now.begin_stage(10, 3, map);
  iterate(now, -5, 2);
  iterate(now, -4, 3);
  now.begin_stage(40, 6, map);
  iterate(now, -16, 5);
  ASSERT_EQ(now.iterations(), 3);
  const std::vector<Iteration>& history = now.history();
  EXPECT_EQ(history[1].stage, 0);
  EXPECT_EQ(history[1].rows, 10U);
  EXPECT_EQ(history[1].m, 3U);
  EXPECT_EQ(history[1].passes, 3);
  EXPECT_EQ(history[1].bound, -4);
  EXPECT_TRUE(std::isnan(history[1].elbo));
  EXPECT_EQ(history[2].stage, 1);
  EXPECT_EQ(history[2].rows, 40U);
  EXPECT_EQ(history[2].m, 6U);
  EXPECT_LE(history[0].seconds, history[2].seconds);
}

TEST_F(MonitorTest, EndsAfterItsIterations) {
  max_iter = 2;
  Monitor now = monitor();
  now.begin_stage(1, 1, map);
  iterate(now, 0);
  EXPECT_FALSE(now.must_stop());
  iterate(now, 0);
  EXPECT_TRUE(now.must_stop());
  EXPECT_FALSE(now.out_of_time());
  EXPECT_EQ(now.status(false), Status::budget);
  EXPECT_EQ(now.message(false), "max_iter of 2 reached");
}

TEST_F(MonitorTest, EndsAfterItsTime) {
  const Monitor unlimited = monitor();
  EXPECT_FALSE(unlimited.must_stop());
  EXPECT_TRUE(std::isinf(unlimited.seconds_left()));
  EXPECT_EQ(unlimited.message(false), "stopped after iteration 0: too many evaluations without progress");
  options.max_time = 0;
  const Monitor now = monitor();
  EXPECT_TRUE(now.out_of_time());
  EXPECT_TRUE(now.must_stop());
  EXPECT_LE(now.seconds_left(), 0);
  EXPECT_EQ(now.status(false), Status::budget);
  EXPECT_EQ(now.message(false), "max_time of 0 s reached");
  EXPECT_EQ(now.status(true), Status::converged);
  EXPECT_EQ(now.message(true), "the bound stopped moving");
}

TEST_F(MonitorTest, TheClockInterruptsOnlyWhatItMay) {
  options.max_time = 0.02;
  Monitor now = monitor();
  Workers workers(1);
  const auto until = [&](int tasks) {
    for (int k = 0; k < tasks; ++k)
      workers.run(1, [](Index /*number*/, int /*worker*/) { std::this_thread::sleep_for(1ms); });
  };
  EXPECT_TRUE(now.stoppable(workers, [&] { until(30); }));
  EXPECT_TRUE(now.out_of_time());
  EXPECT_FALSE(now.within_time(workers, [&] { until(1000000); }));
  EXPECT_FALSE(now.interrupted());
  EXPECT_FALSE(now.cut());
  EXPECT_EQ(now.status(false), Status::budget);
}

TEST_F(MonitorTest, LeavesTimeForTheReport) {
  options.max_time = 1000;
  Monitor now = monitor();
  EXPECT_FALSE(now.must_stop());
  now.reserve(1000);
  EXPECT_TRUE(now.must_stop());
}

// What is off the clock takes 20 ms or more, so the monitor's clock is behind another one by that.
TEST_F(MonitorTest, DoesNotCountWhatIsOffTheClock) {
  options.on_iteration = [](const Progress&) {
    std::this_thread::sleep_for(20ms);
    return true;
  };
  Monitor now = monitor();
  now.begin_stage(1, 1, map);
  const auto elapsed = [&](const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    const double before = now.seconds();
    work();
    const double counted = now.seconds() - before;
    return std::pair(counted,
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  };
  const auto [counted, all] = elapsed([&] { now.off_the_clock([] { std::this_thread::sleep_for(20ms); }); });
  EXPECT_GE(counted, 0);
  EXPECT_LE(counted, all - 0.02);
  const auto [of_callback, all_of_it] = elapsed([&] { iterate(now, 0); });
  EXPECT_LE(of_callback, all_of_it - 0.02);
  const auto [on_the_clock, wall] = elapsed([] { std::this_thread::sleep_for(20ms); });
  EXPECT_GE(on_the_clock, 0.02);
  EXPECT_LE(on_the_clock, wall);
}

TEST_F(MonitorTest, CallbackSeesProgressAndCanStop) {
  std::vector<Progress> seen;
  options.on_iteration = [&](const Progress& progress) {
    seen.push_back(progress);
    return seen.size() < 4;
  };
  Monitor now = monitor();
  now.expect(0.5);
  for (const std::size_t rows : {10U, 20U, 40U}) {
    now.begin_stage(rows, 2, map);
    iterate(now, -2.0 * static_cast<double>(rows) / (rows == 20 ? 2 : 1), static_cast<long>(rows));
    EXPECT_FALSE(now.interrupted());
  }
  iterate(now, 0, 50);
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[2].iteration, 3);
  EXPECT_EQ(seen[2].max_iter, 100);
  EXPECT_TRUE(std::isnan(seen[1].gain));
  EXPECT_DOUBLE_EQ(seen[2].gain, 1);  // from -2 nats per row to -1
  EXPECT_EQ(seen[2].seconds_left, 0.5);
  EXPECT_GT(seen[2].rows_per_second, 0);
  EXPECT_TRUE(now.interrupted());
  EXPECT_FALSE(now.cut());  // between two iterations
  EXPECT_TRUE(now.must_stop());
  EXPECT_EQ(now.status(true), Status::interrupted);
  EXPECT_EQ(now.message(false), "stopped by the caller after iteration 4");
}

TEST_F(MonitorTest, TrueBoundIsComputedIfRequested) {
  options.trace_elbo = true;
  Monitor now = monitor();
  now.begin_stage(1, 1, map);
  now.after_iteration(
      -3, 1, []() -> Fitted { throw std::logic_error("the model is not needed"); }, [] { return -2.5; });
  EXPECT_EQ(now.history().back().elbo, -2.5);
}

TEST_F(MonitorTest, StopEndsWorkAtItsNextStopPoint) {
  std::atomic<bool> wanted = false;
  int polled_after_request = 0;
  options.stop = [&] {
    polled_after_request += wanted;
    return wanted.load();
  };
  Monitor now = monitor();
  EXPECT_TRUE(now.stoppable(workers, [&] { workers.run(8, [](Index, int) {}); }));
  std::atomic<int> done = 0;
  EXPECT_FALSE(now.stoppable(workers, [&] {
    workers.run(1, [&](Index, int) { wanted = true; });
    workers.run(100, [&](Index, int worker) {
      workers.stop_point(worker);
      std::this_thread::sleep_for(1ms);
      ++done;
    });
  }));
  EXPECT_LT(done, 100);
  EXPECT_TRUE(now.cut());
  EXPECT_TRUE(now.interrupted());
  EXPECT_EQ(polled_after_request, 1);  // a request is final
  // Work that is not stoppable completes, in a pool and out of it.
  workers.stop_point(0);
  workers.run(5, [&](Index, int) { done = 1000; });
  EXPECT_EQ(done, 1000);
}

// Oracle: the driver of shards has stop points without a run().
TEST_F(MonitorTest, StopOutsideARunEndsWithTheWork) {
  options.stop = [] { return true; };
  Monitor now = monitor();
  EXPECT_FALSE(now.stoppable(workers, [&] { workers.stop_point(0); }));
  EXPECT_NO_THROW(workers.stop_point(0));
}

TEST_F(MonitorTest, CheckpointsGiveAnIterationTimeToFinish) {
  options.stop = [] { return true; };
  options.checkpoint = "state";
  Monitor now = monitor();
  now.begin_stage(1, 1, map);
  EXPECT_TRUE(now.stoppable(workers, [&] { workers.run(8, [](Index, int) {}); }));
  EXPECT_FALSE(now.must_stop());
  iterate(now, 0);
  EXPECT_TRUE(now.interrupted());
  EXPECT_FALSE(now.cut());
}

TEST_F(MonitorTest, CarrierThatWasStoppedStopsTheFit) {
  Monitor now = monitor();
  EXPECT_FALSE(now.stoppable(workers, [] { throw Stopped(); }));
  EXPECT_TRUE(now.cut());
  EXPECT_EQ(now.status(false), Status::interrupted);
}

TEST_F(MonitorTest, ErrorsOfTheWorkComeOut) {
  options.stop = [] { return false; };
  Monitor now = monitor();
  EXPECT_THROW(now.stoppable(workers, [] { throw std::runtime_error("disk full"); }), std::runtime_error);
  EXPECT_FALSE(now.interrupted());
}

TEST_F(MonitorTest, KeepsNothingOfWorkThatWasCut) {
  int written = 0;
  StateSaver saver(
      {}, [&](const NamedArrays&) { ++written; }, 0);
  Monitor now = monitor();
  now.end_of_iteration(saver);
  EXPECT_EQ(written, 1);
  now.stoppable(workers, [] { throw Stopped(); });
  now.end_of_iteration(saver);
  EXPECT_EQ(written, 1);
}

TEST_F(MonitorTest, ResumesWithHistoryAndTime) {
  Monitor first = monitor();
  first.begin_stage(10, 3, map);
  iterate(first, -5, 2);
  first.begin_stage(20, 4, map);
  iterate(first, -9, 7);
  NamedArrays stored;
  Archive save(stored, Archive::Direction::save);
  first.archive(save);
  stored["seconds"] = {1000};
  Monitor second = monitor();
  Archive load(stored, Archive::Direction::load);
  second.archive(load);
  second.resume_stage(map);
  EXPECT_GE(second.seconds(), 1000);
  EXPECT_LT(second.seconds(), 1900);
  iterate(second, -8, 9);
  ASSERT_EQ(second.iterations(), 3);
  EXPECT_EQ(second.history()[0].bound, -5);
  EXPECT_EQ(second.history()[1].passes, 7);
  EXPECT_EQ(second.history()[2].stage, 1);
  EXPECT_EQ(second.history()[2].rows, 20U);
  EXPECT_GE(second.history()[2].seconds, 1000);
  stored["iterations"].push_back(1);
  EXPECT_THROW(monitor().archive(load), Error);
}

}  // namespace
}  // namespace induce::testing
