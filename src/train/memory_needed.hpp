// What a fit will allocate, known before it starts: an allocation that fails after hours, or a machine that
// ends the process, is too late.
//
// The figures count what the training code holds at its fullest moment (vectors of n, matrices of m x m and
// m x d, buffers of the workers); tests/promises/memory_test.cpp holds them to the peak that the system saw.
#pragma once

#include <string>

#include "rows/memory.hpp"
#include "train/methods.hpp"

namespace induce {

struct FitSize {
  double n = 0, d = 0, m = 0;  // rows that take part, features, inducing inputs at the end
  double minority = 0;         // rows of the rarer class
  bool find_inducing = false;  // m is an upper limit
  bool learn_inputs = false;
  int threads = 1;
  double kept_limit = 0;  // Options::memory
  bool checkpoints = false;
};

struct MemoryNeeded {  // bytes
  double rows = 0;     // grows with n
  double algebra = 0;  // grows with m^2 and m d
  double workers = 0;  // buffers, each thread its own
  double kept = 0;     // K and V, which need not be kept
  double stored = 0;   // the state, copied before it is written to disk

  double total() const { return rows + algebra + workers + kept + stored; }
};

MemoryNeeded memory_needed(const MethodRow& method, const FitSize& size);

// Throws a data Error that says what is needed, what is there, and what to do about it.
void require_memory(const MemoryNeeded& needed, int threads, const AvailableMemory& room);

}  // namespace induce
