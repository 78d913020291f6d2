// The number of random problems per test, and their seeds.
//
//   INDUCE_PROBLEMS=N   N problems in each test, N fits in a row, 100 N calls of predict; `./go soak` sets it
//                       to 10,000. By default each test takes a second or two.
//   INDUCE_SEED=S       only the problem with seed S, which a failure prints.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace induce::testing {

inline long problems_or(long by_default) {
  const char* wanted = std::getenv("INDUCE_PROBLEMS");
  return wanted ? std::stol(wanted) : by_default;
}

// Calls visit(seed) for `count` seeds starting at `first`, or for INDUCE_SEED alone; stops when visit returns
// false.
template <class Visit>
void each_seed(std::uint64_t first, long count, const Visit& visit) {
  if (const char* wanted = std::getenv("INDUCE_SEED")) {
    visit(std::stoull(wanted));
    return;
  }
  for (long i = 0; i < count; ++i)
    if (!visit(first + static_cast<std::uint64_t>(i))) return;
}

}  // namespace induce::testing
