#include "fit/fit_identity.hpp"

#include <string_view>
#include <vector>

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

namespace {

// `hash`: of the table.
Checkpoint describe(std::uint64_t hash, std::span<const int> y, const Names& names,
                    std::span<const double> weights, const Options& options) {
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

}  // namespace

Checkpoint describe_fit(TableView X, std::span<const int> y, const Names& names,
                        std::span<const double> weights, const Options& options) {
  const std::size_t sizes[] = {X.n, X.d, weights.size()};
  const std::uint64_t hash = content_hash(bytes_of(sizes, std::size(sizes)));
  return describe(content_hash(bytes_of(X.x, X.n * X.d), hash), y, names, weights, options);
}

Checkpoint describe_fit(const SparseView& X, std::span<const int> y, const Names& names,
                        std::span<const double> weights, const Options& options) {
  const std::size_t sizes[] = {X.n, X.d, weights.size()};
  std::uint64_t hash = content_hash("sparse", content_hash(bytes_of(sizes, std::size(sizes))));
  std::vector<std::int64_t> starts(X.row_start, X.row_start + X.n + 1);
  for (std::int64_t& start : starts) start -= X.row_start[0];
  hash = content_hash(bytes_of(starts.data(), starts.size()), hash);
  hash = content_hash(bytes_of(X.column + X.row_start[0], X.entries()), hash);
  hash = content_hash(bytes_of(X.value + X.row_start[0], X.entries()), hash);
  return describe(hash, y, names, weights, options);
}

std::map<std::string, std::string> read_checkpoint_notes(const std::string& path) {
  return read_checkpoint(path).notes;
}

}  // namespace induce
