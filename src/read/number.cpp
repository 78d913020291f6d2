// See number.hpp.
#include "read/number.hpp"

#include <algorithm>
#include <array>

#include "read/lines.hpp"

namespace induce::detail {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char p, char q) { return lower(p) == lower(q); });
}

bool is_missing_value(std::string_view token) {
  constexpr std::array<std::string_view, 7> markers{"", "na", "n/a", "nan", "null", "none", "?"};
  return std::any_of(markers.begin(), markers.end(),
                     [&](auto marker) { return equal_ignoring_case(token, marker); });
}

bool is_missing_cell(std::string_view token) {
  double value = 0;
  const char* end = token.data() + token.size();
  return is_missing_value(token) || (parse_number(token.data(), end, value) == end && std::isnan(value));
}

std::string why_not_a_number(std::string_view token) {
  if (token.empty()) return "the value is missing; a number is required here";
  double value = 0;
  const char* end = token.data() + token.size();
  const bool whole = parse_number(token.data(), end, value) == end;
  if (whole && std::isnan(value)) return in_quotes(token) + " is NaN; a number is required here";
  if (whole && token.find_first_of("0123456789") != std::string_view::npos)
    return in_quotes(token) + " is too large for a double";
  if (whole) return in_quotes(token) + " is infinite; values must be finite";
  if (is_missing_value(token)) return in_quotes(token) + " is a missing value; a number is required here";
  return in_quotes(token) + " is not a number";
}

}  // namespace induce::detail
