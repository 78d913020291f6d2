#include "notes.hpp"

#include "internals.hpp"
#include "model/safetensors.hpp"

namespace induce::cli {

std::map<std::string, std::string> notes_of(const std::string& model_bytes, const std::string& path) {
  std::map<std::string, std::string> notes;
  const CheckedTensors file(model_bytes, path);
  for (const auto& [key, value] : file.metadata())
    if (key != "format" && key != "format_version" && key != "version" && key != "model" &&
        key != "content_hash")
      notes[key] = value;
  return notes;
}

}  // namespace induce::cli
