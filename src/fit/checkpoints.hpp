// Writes the state of a fit to a checkpoint, and reads the state that the fit resumes from. A failed write
// becomes a warning and never aborts the fit.
#pragma once

#include <optional>
#include <string>

#include <induce/options.hpp>

#include "fit/checkpoint_file.hpp"
#include "fit/fit_rows.hpp"
#include "state/state_saver.hpp"

namespace induce::detail {

class Checkpoints {
 public:
  Checkpoints(const FitRows& rows, const Options& options, Monitor& monitor);
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  StateSaver& saver() { return *saver_; }
  std::string failure() const;  // of the last write; empty if it succeeded

 private:
  std::optional<NamedArrays> stored(const Options& options) const;
  void write(NamedArrays state);

  Checkpoint fit_;  // what identifies it, without state
  std::string path_, failure_;
  Monitor& monitor_;
  std::optional<StateSaver> saver_;
};

}  // namespace induce::detail
