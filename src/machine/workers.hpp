// A fixed pool of threads that runs numbered tasks.
//
// Any thread may run any task; a task's result must depend only on its number. Sums are therefore kept per
// task and added in task order, so results are bitwise identical for any number of threads. The pool survives
// a task that throws: run() rethrows the exception with the lowest task number.
//
// Long computations can be interrupted: see stop_when().
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

// Cores this process may use, given its affinity and the container's CPU quota.
int available_cores();

// Thrown by run() when it was interrupted.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped"; }
};

class Workers {
 public:
  // 0: available_cores(). Uses fewer threads if the system cannot start as many.
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

  // Installs a stop condition. The thread that calls run() evaluates it at stop points: before each task, and
  // wherever a task calls stop_point(). Once it returns true, every task ends at its next stop point and
  // run() throws Stopped. nullptr removes the condition.
  void stop_when(std::function<bool()> condition) { stop_condition_ = std::move(condition); }
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
  std::function<bool()> stop_condition_;
  std::atomic<bool> stopping_{false};
};

// The same with a temporary pool, for one-time work.
template <class Task>
void for_each_part(std::size_t parts, int threads, const Task& task) {
  Workers(threads).run(static_cast<Index>(parts),
                       [&](Index part, int /*worker*/) { task(static_cast<std::size_t>(part)); });
}

}  // namespace induce::detail
