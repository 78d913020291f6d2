// Saves the state of a long computation, so that it can be resumed after its process has died.
//
// Each level of the computation registers its section of the state during its lifetime (StateSaver::Section). At a safe
// point, where all sections are consistent, the whole state is passed to a callback that writes it. A resumed
// computation follows the same path: each level loads its section and continues from there, the innermost last.
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

class StateSaver {
 public:
  using Write = std::function<void(NamedArrays)>;

  StateSaver() = default;  // saves nothing, resumes nothing
  // `write` may be empty; `every`: minimum seconds between two writes.
  StateSaver(std::optional<NamedArrays> resumed, Write write, double every);
  StateSaver(const StateSaver&) = delete;
  StateSaver& operator=(const StateSaver&) = delete;

  bool saves() const { return write_ != nullptr; }
  // True while sections remain to be loaded; their contents need not be computed.
  bool resuming() const { return left_ > 0; }

  // Registers a section of the state while in scope. Loads it immediately when resuming; `archive` is called at
  // every write. Does nothing if `saver` is null.
  class Section {
   public:
    Section(StateSaver* saver, const std::string& name, std::function<void(Archive&)> archive);
    ~Section();
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

   private:
    StateSaver* saver_;
  };

  // To be called when all sections are consistent. Writes them if the interval has passed or `now` is set.
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
  int left_ = 0;  // sections still to load
  bool out_of_memory_ = false;
  std::vector<Named> sections_;
  Clock::time_point written_ = Clock::now();
};

}  // namespace induce::detail
