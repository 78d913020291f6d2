#include "fit/fit_identity.hpp"

#include <string_view>

#include <induce/fit.hpp>

#include "describe/option_text.hpp"
#include "io/content_hash.hpp"
#include "likelihood/likelihood.hpp"
#include "train/methods.hpp"

namespace induce {
namespace {

template <class Number>
std::string_view bytes_of(const Number* numbers, std::size_t count) {
  return {reinterpret_cast<const char*>(numbers), count * sizeof(Number)};
}

}  // namespace

Checkpoint describe_fit(TableView X, std::span<const int> y, const Names& names,
                        std::span<const double> weights, const Options& options) {
  const std::size_t sizes[] = {X.n, X.d, weights.size()};
  std::uint64_t hash = content_hash(bytes_of(sizes, std::size(sizes)));
  hash = content_hash(bytes_of(X.x, X.n * X.d), hash);
  hash = content_hash(bytes_of(y.data(), y.size()), hash);
  hash = content_hash(bytes_of(weights.data(), weights.size()), hash);
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
