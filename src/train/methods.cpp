#include "train/methods.hpp"

#include <induce/error.hpp>

namespace induce {

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"auto"};
    for (const auto& row : methods) all.emplace_back(row.name);
    return all;
  }();
  return names;
}

std::string_view name_of(Method method) { return method == Method::automatic ? "auto" : row_of(method).name; }

Method method_from_name(std::string_view name) {
  if (name == "auto") return Method::automatic;
  for (const auto& row : methods)
    if (row.name == name) return row.method;
  std::string known;
  for (const auto& each : method_names()) known += (known.empty() ? "" : ", ") + each;
  throw usage_error("unknown method '" + std::string(name) + "'; known: " + known);
}

}  // namespace induce
