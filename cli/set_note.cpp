#include "set_note.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "file/regular_file.hpp"
#include "internals.hpp"
#include "model/safetensors.hpp"

namespace induce::cli {

std::string thresholds_note(const Report& report) {
  if (report.set_thresholds.empty() || !report.class_weights.empty()) return "";
  return nlohmann::json(report.set_thresholds).dump();
}

std::vector<double> thresholds_of_model(const std::string& path) {
  const std::string bytes = regular_file_bytes(path);
  const CheckedTensors file(bytes, path);
  const auto note = file.metadata().find(set_thresholds_note);
  if (note == file.metadata().end()) return {};
  const nlohmann::json list = nlohmann::json::parse(note->second, nullptr, false);
  const bool valid = list.is_array() && std::all_of(list.begin(), list.end(), [](const nlohmann::json& each) {
                       return each.is_number();
                     });
  return valid ? list.get<std::vector<double>>() : std::vector<double>();
}

}  // namespace induce::cli
