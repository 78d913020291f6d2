// Digits stored as JSON.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "linalg/types.hpp"

namespace induce::testing {

// Null where there is no such file.
inline nlohmann::json read_json(const std::string& path) {
  std::ifstream file(path);
  return file ? nlohmann::json::parse(file) : nlohmann::json();
}

inline Vector vector_of(const nlohmann::json& values) {
  Vector v(static_cast<Index>(values.size()));
  for (Index i = 0; i < v.size(); ++i) v(i) = values[static_cast<std::size_t>(i)].get<double>();
  return v;
}

inline RowMatrix matrix_of(const nlohmann::json& rows) {
  RowMatrix A(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < A.rows(); ++i) A.row(i) = vector_of(rows[static_cast<std::size_t>(i)]).transpose();
  return A;
}

}  // namespace induce::testing
