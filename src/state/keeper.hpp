// Saves the state of a long computation, so that it can be resumed after its process has died.
//
// Each level of the computation registers its part of the state during its lifetime (Keeper::Part). At a safe
// point, where all parts are consistent, the whole state is passed to a callback that writes it. A resumed
// computation follows the same path: each level loads its part and continues from there, the innermost last.
// The stored state is exact, so the result is bitwise identical.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "state/archive.hpp"

namespace induce::detail {

class Keeper {
 public:
  using Write = std::function<void(NamedArrays)>;

  Keeper() = default;  // saves nothing, resumes nothing
  // `write` may be empty; `every`: minimum seconds between two writes.
  Keeper(std::optional<NamedArrays> resumed, Write write, double every);
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  bool keeps() const { return write_ != nullptr; }
  // True while parts remain to be loaded; their contents need not be computed.
  bool resuming() const { return left_ > 0; }

  // Registers a part of the state while in scope. Loads it immediately when resuming; `archive` is called at
  // every write. Does nothing if `keeper` is null.
  class Part {
   public:
    Part(Keeper* keeper, const std::string& name, std::function<void(Archive&)> archive);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    Keeper* keeper_;
  };

  // To be called when all parts are consistent. Writes them if the interval has passed or `now` is set.
  void safe_point(bool now);
  bool out_of_memory() const { return out_of_memory_; }  // in the last write

 private:
  using Clock = std::chrono::steady_clock;
  struct Named {
    std::string name;
    std::function<void(Archive&)> archive;
  };

  std::optional<NamedArrays> resumed_;
  Write write_;
  double every_ = 0;
  int left_ = 0;  // parts still to load
  bool out_of_memory_ = false;
  std::vector<Named> parts_;
  Clock::time_point written_ = Clock::now();
};

}  // namespace induce::detail
