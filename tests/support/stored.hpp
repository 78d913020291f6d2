// Reference numbers stored as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "linalg/types.hpp"

namespace induce::testing {

// Null if the file does not exist.
nlohmann::json read_json(const std::string& path);

Vector vector_of(const nlohmann::json& values);

RowMatrix matrix_of(const nlohmann::json& rows);

}  // namespace induce::testing
