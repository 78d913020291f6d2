#include "model/checkpoint_file.hpp"

#include <bit>
#include <cstring>

#include <nlohmann/json.hpp>

#include <induce/error.hpp>
#include <induce/fit.hpp>

#include "data/content_hash.hpp"
#include "data/lines.hpp"
#include "model/json_lists.hpp"
#include "model/safetensors.hpp"
#include "model/strict_json.hpp"
#include "train/methods.hpp"

namespace induce {
namespace {

constexpr const char *checkpoint_format = "induce-checkpoint", *checkpoint_version = "1",
                     *kind_of_file = "checkpoint";
constexpr std::size_t longest_shown = 40;  // of a text in an error

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

std::string dump(const std::map<std::string, std::string>& strings) {
  return nlohmann::json(strings).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

[[noreturn]] void reject(const std::string& path, const std::string& why) {
  throw data_error(path + ": not a usable checkpoint: " + why);
}

const std::string& metadata(const std::string& path, const TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end()) reject(path, "metadata '" + key + "' is missing");
  return found->second;
}

std::map<std::string, std::string> strings(const std::string& path, const TensorFile& file,
                                           const std::string& key) {
  try {
    std::map<std::string, std::string> found;
    for (auto& [name, texts] : json_lists(metadata(path, file, key))) {
      if (texts.size() != 1) throw JsonFault{"has a list where a text must be"};
      found[name] = std::move(texts[0]);
    }
    return found;
  } catch (const JsonFault& fault) {
    reject(path, "metadata '" + key + "' " + fault.what);
  }
}

Checkpoint checkpoint_of(const TensorFile& file, const std::string& path) {
  if (metadata(path, file, "format") != checkpoint_format)
    reject(path, "its format is " + in_quotes(metadata(path, file, "format")));
  if (metadata(path, file, "format_version") != checkpoint_version)
    reject(path, "its format version is " + in_quotes(metadata(path, file, "format_version")) +
                     ", this program reads version " + checkpoint_version);
  if (metadata(path, file, "version") != INDUCE_VERSION)
    reject(path, "it was written by induce " + in_quotes(metadata(path, file, "version")) +
                     ", this is " INDUCE_VERSION);
  if (!file.hashed) reject(path, "it has no content hash");
  Checkpoint checkpoint{.data = metadata(path, file, "data"),
                        .options = strings(path, file, "options"),
                        .notes = strings(path, file, "notes"),
                        .state = {}};
  for (const auto& [name, tensor] : file.tensors) checkpoint.state[name] = tensor.values;
  return checkpoint;
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

void check_same_fit(const std::string& path, const Checkpoint& stored, const Checkpoint& wanted) {
  for (const auto& [name, value] : wanted.options) {
    const auto found = stored.options.find(name);
    if (found == stored.options.end() || found->second != value)
      throw data_error(path + ": is of a fit with " + name + " = " +
                       (found == stored.options.end() ? "nothing" : found->second.substr(0, longest_shown)) +
                       ", not " + value);
  }
  if (stored.data != wanted.data)
    throw data_error(path + ": is of a fit to other data (their hash is " +
                     stored.data.substr(0, longest_shown) + ", here it is " + wanted.data +
                     "); rows, labels, weights and their order must be the same");
}

void write_checkpoint(const std::string& path, Checkpoint checkpoint) {
  TensorFile file;
  for (auto& [name, values] : checkpoint.state) {
    const std::size_t size = values.size();
    file.tensors[name] = {{size}, std::move(values)};
  }
  file.metadata = {{"format", checkpoint_format},         {"format_version", checkpoint_version},
                   {"version", INDUCE_VERSION},           {"data", checkpoint.data},
                   {"options", dump(checkpoint.options)}, {"notes", dump(checkpoint.notes)}};
  write_safetensors(path, file);
}

Checkpoint read_checkpoint(const std::string& path) {
  return checkpoint_of(read_safetensors(path, {.what = kind_of_file, .finite = false}), path);
}

Checkpoint parse_checkpoint(std::string_view bytes, const std::string& origin) {
  return checkpoint_of(parse_safetensors(bytes, origin, {.what = kind_of_file, .finite = false}), origin);
}

std::map<std::string, std::string> read_checkpoint_notes(const std::string& path) {
  return read_checkpoint(path).notes;
}

}  // namespace induce
