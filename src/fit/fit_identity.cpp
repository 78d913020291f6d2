#include "fit/fit_identity.hpp"

#include <string_view>

#include <induce/fit.hpp>

#include "describe/option_text.hpp"
#include "file/content_hash.hpp"
#include "likelihood/likelihood.hpp"
#include "train/methods.hpp"

namespace induce {
namespace {

template <class Number>
std::string_view bytes_of(const Number* numbers, std::size_t count) {
  return {reinterpret_cast<const char*>(numbers), count * sizeof(Number)};
}

}  // namespace

namespace {

std::uint64_t hash_of(const FitData& data) {
  if (data.facts) {  // whatever the order of the rows
    const std::uint64_t facts[] = {static_cast<std::uint64_t>(data.facts->rows), data.table.d,
                                   data.facts->identity};
    return content_hash(bytes_of(facts, std::size(facts)));
  }
  const TableView X = data.table;
  const std::size_t sizes[] = {X.n, X.d, data.weights.size()};
  std::uint64_t hash = content_hash(bytes_of(sizes, std::size(sizes)));
  hash = content_hash(bytes_of(X.x, X.n * X.d), hash);
  hash = content_hash(bytes_of(data.labels.data(), data.labels.size()), hash);
  return content_hash(bytes_of(data.weights.data(), data.weights.size()), hash);
}

}  // namespace

Checkpoint describe_fit(const FitData& data, const Names& names, const Options& options) {
  std::uint64_t hash = hash_of(data);
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

std::map<std::string, std::string> read_checkpoint_notes(const std::string& path) {
  return read_checkpoint(path).notes;
}

}  // namespace induce
