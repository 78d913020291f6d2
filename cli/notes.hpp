// The notes of a model file: what the program that wrote it has added (docs/format.md).
#pragma once

#include <map>
#include <string>

namespace induce::cli {

std::map<std::string, std::string> notes_of(const std::string& model_bytes, const std::string& path);

}  // namespace induce::cli
