// Estimates the memory of a fit before it starts, so that it does not fail, or get killed, after hours.
//
// With n rows, d features, m inducing inputs, V values of terms, M = m + V, C latent functions, v variables and a history of p pairs, a fit holds
//   the features of the rows, twice         2 n d
//   the sums of a pass, s at a time         s (C (m^2 + m V + V^2/2) + m d)
//   the optimizer's history                 2 p v
//   points of the bound                     10 C n + 4 C (m^2 + M^2) + 4 m d + 5 v each
// numbers, besides buffers of the workers and cached K and V. A point is parameters with sites, marginals and posterior.
// tests/promises/memory_test.cpp compares this to the measured peak.
#pragma once

#include <functional>
#include <string>

#include "machine/memory.hpp"
#include "train/methods.hpp"

namespace induce::detail {

struct FitSize {
  double n = 0, d = 0, m = 0;  // rows used, features, final inducing inputs
  double values = 0;           // of terms
  double all = 0;              // rows of a large table, of which the n are a sample
  bool all_here = false;       // are they in the memory of this process?
  double functions = 1;        // latent functions
  bool learn_inputs = false;
  int threads = 1;
  double kept_limit = 0;  // of cached K and V
  double limit = 0;       // Options::memory; 0: none
  bool checkpoints = false;
  // Sets m and values to those of these rows and functions, where the fit chooses them; empty: they stay.
  std::function<void(FitSize& size)> follow{};
};

struct MemoryNeeded {   // bytes
  double rows = 0;      // grows with n
  double algebra = 0;   // grows with m^2 and m d
  double workers = 0;   // buffers of each thread
  double kept = 0;      // cached K and V, which are optional
  double stored = 0;    // the state, copied before it is written to disk
  double reserved = 0;  // address space only: stacks, buffers of BLAS, sums that may not be used

  double total() const { return rows + algebra + workers + kept + stored; }
};

MemoryNeeded memory_needed(const MethodTraits& method, const FitSize& size);

// Says what alone would make the fit small enough, all else as it is: "fewer rows, at most 5,900, or fewer classes, at most 70".
// Empty if nothing would.
using FitsIn = std::function<bool(const MemoryNeeded& needed)>;
std::string smaller_fit(const MethodTraits& method, const FitSize& size, const FitsIn& fits);

// Throws a data Error that says how much is needed, how much is available, and how to reduce it.
MemoryNeeded require_memory(const MethodTraits& method, const FitSize& size, const AvailableMemory& room);

}  // namespace induce::detail
