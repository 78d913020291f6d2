#include "machine/workers.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace induce::detail {
namespace {

// cgroup v2: "max 100000" or "150000 100000"; v1: two files. Infinity if there is no quota.
double quota_cores() {
  double quota = 0, period = 0;
  if (std::ifstream file("/sys/fs/cgroup/cpu.max"); file) {
    std::string first;
    if (file >> first >> period && first != "max") quota = std::stod(first);
  } else {
    std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
        period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    if (!(quota_file >> quota && period_file >> period)) quota = 0;
  }
  return quota > 0 && period > 0 ? quota / period : INFINITY;
}

}  // namespace

int available_cores() {
  cpu_set_t set;
  int cores = static_cast<int>(std::thread::hardware_concurrency());
  if (sched_getaffinity(0, sizeof set, &set) == 0) cores = CPU_COUNT(&set);
  const double quota = std::ceil(quota_cores());
  if (quota < cores) cores = static_cast<int>(quota);
  return std::max(cores, 1);
}

Workers::Workers(int threads) {
  if (threads <= 0) threads = available_cores();
  threads_.reserve(threads - 1);
  try {
    for (int worker = 1; worker < threads; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
  } catch (const std::exception&) {  // out of threads or stack space: continue with fewer
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  start_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Workers::take_tasks(int worker) {
  for (Index number; (number = next_.fetch_add(1)) < count_;) {
    try {
      stop_point(worker);
      call_(task_, number, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || number < failed_) {
        failure_ = std::current_exception();
        failed_ = number;
      }
    }
  }
}

void Workers::stop_point(int worker) {
  // A stop ends with its condition: also outside run(), where the driver of shards has its stop points.
  if (worker == 0) stopping_ = stop_condition_ && (stopping_ || stop_condition_());
  if (stopping_) throw Stopped();
}

void Workers::serve(int worker) {
  for (long seen = 0;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return quit_ || round_ != seen; });
      if (quit_) return;
      seen = round_;
    }
    take_tasks(worker);
    {
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) finish_.notify_one();
    }
  }
}

void Workers::run_erased(Index count, const void* task, Call call) {
  task_ = task;
  call_ = call;
  count_ = count;
  failure_ = nullptr;
  stopping_ = false;
  next_ = 0;
  if (threads_.empty() || count <= 1) {
    take_tasks(0);
  } else {
    {
      const std::lock_guard lock(mutex_);
      busy_ = static_cast<int>(threads_.size());
      ++round_;
    }
    start_.notify_all();
    take_tasks(0);
    std::unique_lock lock(mutex_);
    finish_.wait(lock, [&] { return busy_ == 0; });
  }
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace induce::detail
