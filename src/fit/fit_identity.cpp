#include "fit/fit_identity.hpp"

#include <string_view>

#include <induce/fit.hpp>

#include "describe/option_text.hpp"
#include "file/content_hash.hpp"
#include "likelihood/likelihood.hpp"
#include "train/methods.hpp"

namespace induce::detail {

Checkpoint describe_fit(const FitRows& data, const Options& options) {
  const Names& names = data.names();
  const std::uint64_t facts[] = {static_cast<std::uint64_t>(data.facts().rows), data.rows().table().d,
                                 data.facts().identity};
  std::uint64_t hash = content_hash({reinterpret_cast<const char*>(facts), sizeof facts});
  for (const Column& column : names.columns) {
    hash = content_hash(name_of(column.kind), hash);
    for (const std::string& level : column.levels) hash = content_hash(level + '\n', hash);
  }
  Options resolved = options;  // auto and the choice it stands for are the same fit
  resolved.method = row_of(options.method).method;
  resolved.likelihood = likelihood(options.likelihood, names.classes.size()).name();
  return {.data = hex_of_hash(hash),
          .options = identity_of(resolved),
          .notes = options.checkpoint_notes,
          .state = {}};
}

}  // namespace induce::detail

std::map<std::string, std::string> induce::read_checkpoint_notes(const std::string& path) {
  return detail::read_checkpoint(path).notes;
}
