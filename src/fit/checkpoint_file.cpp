#include "fit/checkpoint_file.hpp"

#include <nlohmann/json.hpp>

#include <induce/error.hpp>
#include <induce/fit.hpp>
#include <induce/version.hpp>

#include "text/words.hpp"
#include "model/json_lists.hpp"
#include "model/safetensors.hpp"
#include "model/strict_json.hpp"

namespace induce::detail {
namespace {

constexpr const char *checkpoint_format = "induce-checkpoint", *checkpoint_version = "3",
                     *kind_of_file = "checkpoint";
constexpr std::size_t max_shown = 40;  // characters of a value in an error message

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
      if (texts.size() != 1) throw JsonFault{"has a list where a string is expected"};
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
                     "; this program reads version " + checkpoint_version);
  if (metadata(path, file, "version") != INDUCE_VERSION)
    reject(path, "it was written by induce " + in_quotes(metadata(path, file, "version")) +
                     "; this is induce " INDUCE_VERSION);
  if (!file.hashed) reject(path, "it has no content hash");
  Checkpoint checkpoint{.data = metadata(path, file, "data"),
                        .options = strings(path, file, "options"),
                        .notes = strings(path, file, "notes"),
                        .state = {}};
  for (const auto& [name, tensor] : file.tensors) checkpoint.state[name] = tensor.values;
  return checkpoint;
}

}  // namespace

void check_same_fit(const std::string& path, const Checkpoint& stored, const Checkpoint& wanted) {
  for (const auto& [name, value] : wanted.options) {
    const auto found = stored.options.find(name);
    if (found == stored.options.end() || found->second != value)
      throw data_error(path + ": is from a fit with " + name + " = " +
                       (found == stored.options.end() ? "nothing" : found->second.substr(0, max_shown)) +
                       ", not " + value);
  }
  if (stored.data != wanted.data)
    throw data_error(path + ": is from a fit to other data (its hash is " + stored.data.substr(0, max_shown) +
                     ", expected " + wanted.data +
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

}  // namespace induce::detail

std::map<std::string, std::string> induce::read_checkpoint_notes(const std::string& path) {
  return detail::read_checkpoint(path).notes;
}
