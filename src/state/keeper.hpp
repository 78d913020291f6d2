// Keeps the state of a long computation, so that it can go on after its process has died.
//
// Each level of the computation names its part of the state for as long as it lives (Keeper::Part). At a safe
// point, where all parts agree with each other, the whole is handed to whoever writes it. A computation that
// is resumed takes the same path; each level then finds its part loaded and goes on from there, the innermost
// last. What is stored is exact, so the end is the same to the bit.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "state/archive.hpp"

namespace induce {

class Keeper {
 public:
  using Write = std::function<void(NamedArrays)>;

  Keeper() = default;  // keeps nothing, resumes nothing
  // `write` may be empty; `every`: seconds between two writes.
  Keeper(std::optional<NamedArrays> resumed, Write write, double every);
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  bool keeps() const { return write_ != nullptr; }
  // Some parts are still to be loaded: what they hold need not be computed.
  bool resuming() const { return left_ > 0; }

  // A part of the state, until this goes out of scope. When resuming, it is loaded at once; `archive` is
  // called with every write. Without a keeper nothing happens.
  class Part {
   public:
    Part(Keeper* keeper, const std::string& name, std::function<void(Archive&)> archive);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    Keeper* keeper_;
  };

  // All parts agree. Writes them if it is time, or `now`.
  void safe_point(bool now);
  bool out_of_memory() const { return out_of_memory_; }  // the last write failed for want of it

 private:
  using Clock = std::chrono::steady_clock;
  struct Named {
    std::string name;
    std::function<void(Archive&)> archive;
  };

  std::optional<NamedArrays> resumed_;
  Write write_;
  double every_ = 0;
  int left_ = 0;  // parts to load
  bool out_of_memory_ = false;
  std::vector<Named> parts_;
  Clock::time_point written_ = Clock::now();
};

}  // namespace induce
