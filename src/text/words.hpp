// Formats numbers and nouns for messages: "4 s", not "4.000000 s"; "1 row", not "1 rows".
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace induce::detail {

std::string shortest(double value);  // the shortest text that reads back to the same bits

// The number that the whole text is, whatever the locale; nothing for "", "1 " or "1e400".
template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// What a column without a name is called: "feature 0", as in additive:0.
std::string unnamed_feature(std::size_t feature);

// The noun after a count: "row" after 1, otherwise "rows" or, for irregular plurals, `many`.
std::string noun(std::size_t count, const std::string& one, const std::string& many = {});

// A token for messages, quoted and truncated to 40 characters.
std::string in_quotes(std::string_view token);

}  // namespace induce::detail
