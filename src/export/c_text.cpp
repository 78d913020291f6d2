#include "export/c_text.hpp"

#include <algorithm>
#include <cstdio>

#include "text/words.hpp"

namespace induce::detail::c_source {
namespace {

constexpr std::size_t line_length = 110;

// C reads at most three octal digits, so what follows does not matter.
std::string octal(char c) {
  char text[8];
  std::snprintf(text, sizeof text, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return text;
}

template <class Value, class Format>
std::string list(const std::string& head, std::span<const Value> values, const Format& format) {
  std::string text = head + "[" + std::to_string(std::max<std::size_t>(values.size(), 1)) + "] = {",
              line = "   ";
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string word = format(values[k]) + (k + 1 < values.size() ? "," : "");
    if (line.size() + word.size() > line_length) {
      text += "\n" + line;
      line = "   ";
    }
    line += " " + word;
  }
  return text + "\n" + line + (values.empty() ? " 0" : "") + "};\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  constexpr std::string_view harmful = "\"'\\*/?<>&%@";  // @: see text/compose.hpp
  std::string out;
  for (const char c : text)
    out += c < ' ' || c > '~' || harmful.find(c) != std::string_view::npos ? octal(c) : std::string(1, c);
  return out;
}

std::string shown(std::string_view text) {
  if (text.size() <= longest_shown) return escaped(text);
  return escaped(text.substr(0, longest_shown)) + "... (" + std::to_string(text.size()) + " bytes)";
}

std::string literal(std::string_view text) {
  return text.size() > longest_literal ? "0" : "\"" + escaped(text) + "\"";
}

std::string number(double value) {
  std::string text = shortest(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string array(const std::string& name, std::span<const double> values, const std::string& indent) {
  return list(indent + "static const double " + name, values, number);
}

std::string array(const std::string& name, std::span<const std::size_t> values) {
  return list("  static const int " + name, values, [](std::size_t value) {
    return value == static_cast<std::size_t>(-1) ? "-1" : std::to_string(value);
  });
}

}  // namespace induce::detail::c_source
