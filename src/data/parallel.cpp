// See parallel.hpp. Parts are handed out in ascending order by one counter, so every part below a failed one
// has been started and will be finished: the lowest failure is always known.
#include "data/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace induce {

int thread_count(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void for_each_part(std::size_t parts, int threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> lowest_failed{parts};
  std::exception_ptr failure;
  std::mutex failure_mutex;

  const auto run = [&]() noexcept {
    for (std::size_t part = next++; part < lowest_failed.load(); part = next++) {
      try {
        work(part);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (part < lowest_failed.load()) {
          lowest_failed = part;
          failure = std::current_exception();
        }
      }
    }
  };

  const std::size_t helpers =
      std::min<std::size_t>(thread_count(threads), std::max<std::size_t>(parts, 1)) - 1;
  {
    std::vector<std::jthread> pool;
    pool.reserve(helpers);
    for (std::size_t i = 0; i < helpers; ++i) pool.emplace_back(run);
    run();
  }  // all joined
  if (failure) std::rethrow_exception(failure);
}

}  // namespace induce
