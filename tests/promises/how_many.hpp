// How many problems a test of a promise makes up, and which.
//
//   INDUCE_PROBLEMS=N   N problems in each test, N fits in a row, 100 N calls of predict; `./go soak` sets it
//                       to 10,000. Without it each test takes a second or two.
//   INDUCE_SEED=S       only the problem with the seed S, which a failure prints.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace induce::testing {

inline long problems_or(long by_default) {
  const char* wanted = std::getenv("INDUCE_PROBLEMS");
  return wanted ? std::stol(wanted) : by_default;
}

// Calls visit(seed) for `count` seeds from `first` on, or for the one that was asked for; ends when visit
// says no.
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
