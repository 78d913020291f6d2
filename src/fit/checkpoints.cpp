#include "fit/checkpoints.hpp"

#include <utility>

#include <induce/error.hpp>

#include "describe/option_values.hpp"
#include "file/atomic_file.hpp"
#include "file/content_hash.hpp"

namespace induce::detail {
namespace {

// Data and every option that the result depends on, without state.
Checkpoint describe_fit(const FitRows& data, const Options& options) {
  const Names& names = data.names();
  const std::uint64_t facts[] = {static_cast<std::uint64_t>(data.facts().rows), data.rows().table().d,
                                 data.facts().identity};
  std::uint64_t hash = content_hash({reinterpret_cast<const char*>(facts), sizeof facts});
  if (const RowGroups& groups = data.groups(); !groups.of.empty())
    hash = content_hash({reinterpret_cast<const char*>(groups.of.data()), groups.of.size() * sizeof(int)},
                        hash + (groups.in_time ? 1 : 0));
  for (const Column& column : names.columns) {
    hash = content_hash(name_of(column.kind), hash);
    for (const std::string& level : column.levels) hash = content_hash(level + '\n', hash);
  }
  Options resolved = options;  // auto and the choice it stands for are the same fit
  resolved.method = traits_of(options.method).method;
  resolved.likelihood = likelihood(options.likelihood, names.classes.size()).name();
  return {.data = hex_of_hash(hash),
          .options = identity_of(resolved),
          .notes = options.checkpoint_notes,
          .state = {}};
}

}  // namespace

Checkpoints::Checkpoints(const FitRows& rows, const Options& options, Monitor& monitor)
    : path_(options.checkpoint), monitor_(monitor) {
  if (!options.checkpoint.empty() || !options.resume.empty()) fit_ = describe_fit(rows, options);
  if (!path_.empty()) const AtomicFile probe(path_);  // fails now if the path is not writable
  saver_.emplace(
      stored(options),
      path_.empty() ? StateSaver::Write() : [this](NamedArrays state) { write(std::move(state)); },
      options.checkpoint_every);
}

std::string Checkpoints::failure() const { return saver_->out_of_memory() ? "out of memory" : failure_; }

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
