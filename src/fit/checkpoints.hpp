// Writes the state of a fit to a checkpoint, and reads the state that the fit resumes from. A failed write
// becomes a warning and never aborts the fit.
#pragma once

#include <optional>
#include <string>

#include <induce/options.hpp>

#include "fit/checkpoint_file.hpp"
#include "state/keeper.hpp"
#include "train/monitor.hpp"

namespace induce::detail {

class Checkpoints {
 public:
  // `fit` describes the fit (fit_identity.hpp).
  Checkpoints(Checkpoint fit, const Options& options, Monitor& monitor);
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  Keeper& keeper() { return *keeper_; }
  std::string failure() const;  // of the last write; empty if it succeeded

 private:
  std::optional<NamedArrays> stored(const Options& options) const;
  void write(NamedArrays state);

  Checkpoint fit_;
  std::string path_, failure_;
  Monitor& monitor_;
  std::optional<Keeper> keeper_;
};

}  // namespace induce::detail
