// See levels.hpp.
#include "read/levels.hpp"

#include <algorithm>
#include <unordered_map>

#include "read/labels.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

enum class Spelled { boolean, number, text };

// How all the texts can be read, ignoring missing values.
template <class Texts>
Spelled how_spelled(const Texts& texts) {
  bool boolean = true, number = true, none = true;
  for (const auto& text : texts) {
    const std::string_view token = trimmed(text);
    if (is_missing_value(token)) continue;
    none = false;
    boolean = boolean && is_boolean(token);
    number = number && is_number(token);
    if (!boolean && !number) return Spelled::text;
  }
  return none ? Spelled::text : boolean ? Spelled::boolean : Spelled::number;
}

// The name of the level that the token means; empty if it cannot be one.
std::string canonical(std::string_view token, Spelled how) {
  double value = 0;
  if (how == Spelled::boolean)
    return !is_boolean(token) ? "" : equal_ignoring_case(token, "true") ? "true" : "false";
  if (how == Spelled::number) return is_number(token, value) ? shortest_form(value) : "";
  return std::string(token);
}

}  // namespace

bool is_boolean(std::string_view token) {
  return equal_ignoring_case(token, "true") || equal_ignoring_case(token, "false");
}

Levels find_levels(const std::vector<std::string>& spellings) {
  const Spelled how = how_spelled(spellings);
  std::vector<std::string> names(spellings.size());
  Levels found;
  for (std::size_t i = 0; i < spellings.size(); ++i) {
    const std::string_view token = trimmed(spellings[i]);
    if (is_missing_value(token)) continue;
    names[i] = canonical(token, how);
    found.levels.push_back(names[i]);
  }
  std::sort(found.levels.begin(), found.levels.end());
  found.levels.erase(std::unique(found.levels.begin(), found.levels.end()), found.levels.end());
  for (const std::string& name : names) {
    const auto at = std::lower_bound(found.levels.begin(), found.levels.end(), name);
    found.of_spelling.push_back(name.empty() ? -1 : static_cast<int>(at - found.levels.begin()));
  }
  return found;
}

std::vector<int> match_levels(const std::vector<std::string>& spellings, const Column& column) {
  const Spelled how = how_spelled(column.levels);
  std::unordered_map<std::string_view, int> index;
  for (const std::string& level : column.levels) index.emplace(level, static_cast<int>(index.size()));
  std::vector<int> found;
  for (const std::string& spelling : spellings) {
    const std::string_view token = trimmed(spelling);
    if (is_missing_value(token)) {
      found.push_back(-1);
      continue;
    }
    std::string name = canonical(token, how);
    double value = 0;
    if (column.kind == ColumnKind::boolean && is_number(token, value) && (value == 0 || value == 1))
      name = value == 1 ? "true" : "false";
    const auto at = index.find(name);
    found.push_back(at == index.end() ? static_cast<int>(column.levels.size()) : at->second);
  }
  return found;
}

}  // namespace induce::detail
