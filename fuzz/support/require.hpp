// A property that must hold whatever the bytes were. libFuzzer takes the abort for a finding.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace induce::fuzz {

inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", property);
  std::abort();
}

}  // namespace induce::fuzz
