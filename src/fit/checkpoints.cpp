#include "fit/checkpoints.hpp"

#include <utility>

#include <induce/error.hpp>

#include "file/atomic_file.hpp"

namespace induce::detail {

Checkpoints::Checkpoints(Checkpoint fit, const Options& options, Monitor& monitor)
    : fit_(std::move(fit)), path_(options.checkpoint), monitor_(monitor) {
  if (!path_.empty()) const AtomicFile probe(path_);  // fails now if the path is not writable
  keeper_.emplace(
      stored(options),
      path_.empty() ? Keeper::Write() : [this](NamedArrays state) { write(std::move(state)); },
      options.checkpoint_every);
}

std::string Checkpoints::failure() const { return keeper_->out_of_memory() ? "out of memory" : failure_; }

std::optional<NamedArrays> Checkpoints::stored(const Options& options) const {
  if (options.resume.empty()) return std::nullopt;
  Checkpoint found = read_checkpoint(options.resume);
  check_same_fit(options.resume, found, fit_);
  return std::move(found.state);
}

void Checkpoints::write(NamedArrays state) {
  monitor_.off_the_clock([&] {
    Checkpoint now = fit_;
    now.state = std::move(state);
    try {
      write_checkpoint(path_, std::move(now));
      failure_.clear();
    } catch (const Error& error) {
      failure_ = error.what();
    }
  });
}

}  // namespace induce::detail
