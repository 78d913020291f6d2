#include "text/format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace induce::detail {
namespace {

std::string significant(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

// Commas between thousands, before the point.
std::string with_commas(std::string digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "-";
  if (std::abs(value) >= 1e15) return significant(value, decimals + 1);
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string grouped(unsigned long long value) { return with_commas(std::to_string(value)); }

std::string readable(double value, int digits) {
  constexpr double too_large = 1e15, too_small = 1e-4;
  const double size = std::fabs(value);
  if (!std::isfinite(value) || size >= too_large || (size > 0 && size < too_small))
    return significant(value, digits);
  const bool whole = size >= std::pow(10, digits - 1);
  return (value < 0 ? "-" : "") + with_commas(whole ? fixed(size, 0) : significant(size, digits));
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return grouped(count) + " " + noun(count, one, many);
}

std::string csv_field(std::string_view text) {
  const bool plain = text.find_first_of(",;\t\"\r\n") == std::string_view::npos && !text.empty() &&
                     text.front() != ' ' && text.back() != ' ';
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string pad_left(std::string_view text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + std::string(text);
}

std::string pad_right(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

}  // namespace induce::detail
