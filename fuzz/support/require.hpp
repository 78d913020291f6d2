// Aborts if a property does not hold; libFuzzer reports the abort as a failure.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace induce::detail {}

namespace induce {
using namespace detail;  // what is fuzzed is not in the public headers
}  // namespace induce

namespace induce::fuzz {

inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", property);
  std::abort();
}

}  // namespace induce::fuzz
