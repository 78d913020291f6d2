#include "train/methods.hpp"

#include <algorithm>
#include <cmath>

#include <induce/error.hpp>

namespace induce {

namespace detail {

// Enough for most data sets of this size, few enough to be fast.
std::size_t inducing_of_paper(std::size_t rows) {
  return std::min<std::size_t>(rows,
                               std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(rows)), 20, 200));
}

}  // namespace detail

using namespace detail;

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"auto"};
    for (const auto& row : methods) all.emplace_back(row.name);
    return all;
  }();
  return names;
}

std::string_view name_of(Method method) {
  return method == Method::automatic ? "auto" : traits_of(method).name;
}

namespace {

[[noreturn]] void unknown(const std::string& what, std::string_view name,
                          const std::vector<std::string>& names) {
  std::string known;
  for (const auto& each : names) known += (known.empty() ? "" : ", ") + each;
  throw usage_error("unknown " + what + " '" + std::string(name) + "'; known: " + known);
}

}  // namespace

Method method_from_name(std::string_view name) {
  if (name == "auto") return Method::automatic;
  for (const auto& row : methods)
    if (row.name == name) return row.method;
  unknown("method", name, method_names());
}

const std::vector<std::string>& warp_names() {
  static const std::vector<std::string> names{"auto", "none", "yeo-johnson"};
  return names;
}

std::string_view name_of(Warp warp) { return warp_names()[static_cast<std::size_t>(warp)]; }

Warp warp_from_name(std::string_view name) {
  for (std::size_t k = 0; k < warp_names().size(); ++k)
    if (warp_names()[k] == name) return static_cast<Warp>(k);
  unknown("warp", name, warp_names());
}

}  // namespace induce
