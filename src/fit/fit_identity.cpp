#include "fit/fit_identity.hpp"

#include <string_view>

#include <nlohmann/json.hpp>

#include <induce/fit.hpp>

#include "io/content_hash.hpp"
#include "train/methods.hpp"

namespace induce {
namespace {

template <class Number>
std::string_view bytes_of(const Number* numbers, std::size_t count) {
  return {reinterpret_cast<const char*>(numbers), count * sizeof(Number)};
}

// All digits, so that two texts are the same if and only if the numbers are.
std::string text_of(double value) { return nlohmann::json(value).dump(); }
std::string text_of(bool value) { return value ? "on" : "off"; }
template <class Value>
std::string text_of(const std::optional<Value>& value) {
  return value ? text_of(*value) : "default";
}

}  // namespace

Checkpoint describe_fit(TableView X, std::span<const int> y, std::span<const double> weights,
                        const Options& options) {
  const std::size_t sizes[] = {X.n, X.d, weights.size()};
  std::uint64_t hash = content_hash(bytes_of(sizes, std::size(sizes)));
  hash = content_hash(bytes_of(X.x, X.n * X.d), hash);
  hash = content_hash(bytes_of(y.data(), y.size()), hash);
  hash = content_hash(bytes_of(weights.data(), weights.size()), hash);
  return {.data = hex_of_hash(hash),
          .options = {{"method", std::string(row_of(options.method).name)},
                      {"inducing", options.inducing ? std::to_string(options.inducing) : "auto"},
                      {"kernel", options.kernel},
                      {"ard", text_of(options.ard)},
                      {"learn_inputs", text_of(options.learn_inputs)},
                      {"noise", text_of(options.noise)},
                      {"mean", text_of(options.mean)},
                      {"warp", std::string(name_of(options.warp))},
                      {"standardize", text_of(options.standardize)},
                      {"seed", std::to_string(options.seed)},
                      {"step", text_of(options.step)},
                      {"batch", std::to_string(options.batch)},
                      {"start.signal_std", text_of(options.start.signal_std)},
                      {"start.lengthscale", text_of(options.start.lengthscale)},
                      {"start.noise_std", text_of(options.start.noise_std)}},
          .notes = options.checkpoint_notes,
          .state = {}};
}

std::map<std::string, std::string> read_checkpoint_notes(const std::string& path) {
  return read_checkpoint(path).notes;
}

}  // namespace induce
