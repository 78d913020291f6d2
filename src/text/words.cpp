#include "text/words.hpp"

#include <charconv>

namespace induce::detail {

std::string shortest(double value) {
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

std::string unnamed_feature(std::size_t feature) { return "feature " + std::to_string(feature); }

std::string noun(std::size_t count, const std::string& one, const std::string& many) {
  if (count == 1) return one;
  return many.empty() ? one + "s" : many;
}

std::string in_quotes(std::string_view token) {
  constexpr std::size_t longest = 40;
  std::string quoted = "'";
  quoted += token.substr(0, longest);
  quoted += token.size() <= longest ? "'" : "...'";
  return quoted;
}

}  // namespace induce::detail
