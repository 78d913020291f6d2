// A fixed team of threads that runs numbered tasks.
//
// Which thread runs a task is left to chance; what a task computes must depend on its number only.
// Sums are therefore kept per task and added in the order of the numbers: the result is the same to
// the bit for any number of threads. A task that throws does not take the team down: the first
// exception, by task number, is thrown again to the caller of run().
//
// Work of many seconds can be ended half-way: see stop_when().
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "linalg/types.hpp"

namespace induce {

// Cores this process may use: its affinity and the container's CPU quota.
int available_cores();

// What run() throws when it was ended half-way.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped"; }
};

class Workers {
 public:
  // 0: available_cores(). Where the system gives fewer threads, fewer do the work.
  explicit Workers(int threads = 0);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls task(number, worker) for number in [0, count), worker in [0, size()); returns when all are
  // done. Allocates nothing.
  template <class Task>
  void run(Index count, const Task& task) {
    run_erased(count, &task, [](const void* t, Index number, int worker) {
      (*static_cast<const Task*>(t))(number, worker);
    });
  }

  // From now on the thread that calls run() asks `wanted` at its stop points, which lie before each task and
  // wherever a task has one of its own. Once the answer is yes every task ends at its next stop point, and
  // run() throws Stopped. nullptr: no more.
  void stop_when(std::function<bool()> wanted) { stop_wanted_ = std::move(wanted); }
  void stop_point(int worker);

 private:
  using Call = void (*)(const void* task, Index number, int worker);
  void run_erased(Index count, const void* task, Call call);
  void take_tasks(int worker);
  void serve(int worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, finish_;
  long round_ = 0;
  int busy_ = 0;
  bool quit_ = false;

  const void* task_ = nullptr;
  Call call_ = nullptr;
  Index count_ = 0;
  std::atomic<Index> next_{0};
  std::exception_ptr failure_;
  Index failed_ = 0;
  std::function<bool()> stop_wanted_;
  std::atomic<bool> stopping_{false};
};

// The same with a team of its own, for work that comes once.
template <class Task>
void for_each_part(std::size_t parts, int threads, const Task& task) {
  Workers(threads).run(static_cast<Index>(parts),
                       [&](Index part, int /*worker*/) { task(static_cast<std::size_t>(part)); });
}

}  // namespace induce
