#include "support/stored.hpp"

#include <fstream>

namespace induce::testing {

nlohmann::json read_json(const std::string& path) {
  std::ifstream file(path);
  return file ? nlohmann::json::parse(file) : nlohmann::json();
}

Vector vector_of(const nlohmann::json& values) {
  Vector v(static_cast<Index>(values.size()));
  for (Index i = 0; i < v.size(); ++i) v(i) = values[static_cast<std::size_t>(i)].get<double>();
  return v;
}

RowMatrix matrix_of(const nlohmann::json& rows) {
  RowMatrix A(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < A.rows(); ++i) A.row(i) = vector_of(rows[static_cast<std::size_t>(i)]).transpose();
  return A;
}

}  // namespace induce::testing
