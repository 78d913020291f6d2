// See comma_numbers.hpp.
#include "io/comma_numbers.hpp"

#include <string>

#include "io/number.hpp"

namespace induce {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads a whole token: digits in one group or, with one of `separators` between them, in groups of three (one to three
// digits in the first); then perhaps `point` and digits.
bool read_in_style(std::string_view token, std::string_view separators, char point, double& value) {
  std::string plain;
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) {
    if (token.front() == '-') plain += '-';
    token.remove_prefix(1);
  }
  const auto take_digits = [&] {
    std::size_t count = 0;
    while (count < token.size() && is_digit(token[count])) ++count;
    plain += token.substr(0, count);
    token.remove_prefix(count);
    return count;
  };
  const std::size_t first = take_digits();
  if (first == 0) return false;
  const char separator = token.empty() ? '\0' : token.front();
  if (separators.find(separator) != std::string_view::npos) {
    if (first > 3) return false;
    while (!token.empty() && token.front() == separator) {
      token.remove_prefix(1);
      if (take_digits() != 3) return false;
    }
  }
  if (!token.empty() && token.front() == point) {
    token.remove_prefix(1);
    plain += '.';
    if (take_digits() == 0) return false;
  }
  return token.empty() && is_number(plain, value);
}

}  // namespace

CommaNumbers read_comma_numbers(const std::vector<std::string_view>& texts, CommaNumbers::Style known) {
  using Style = CommaNumbers::Style;
  CommaNumbers found;
  std::vector<double> decimal(texts.size()), thousands(texts.size());
  bool all_decimal = true, all_thousands = true, differ = false;
  std::size_t only_decimal = 0, only_thousands = 0;  // the last such text
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool plain = texts[i].find('.') == std::string_view::npos && is_number(texts[i], decimal[i]);
    const bool is_decimal = plain || read_in_style(texts[i], ". '", ',', decimal[i]);
    const bool is_thousands =
        read_in_style(texts[i], ", '", '.', thousands[i]) || is_number(texts[i], thousands[i]);
    if (!is_decimal && !is_thousands) return found;
    if (!is_decimal) only_thousands = i;
    if (!is_thousands) only_decimal = i;
    all_decimal = all_decimal && is_decimal;
    all_thousands = all_thousands && is_thousands;
    if (is_decimal && is_thousands && decimal[i] != thousands[i] && !differ) {
      differ = true;
      found.doubtful = i;
    }
  }
  const bool open = known == Style::none;
  found.certain = !open || !all_decimal || !all_thousands;
  if (all_decimal && (open ? !all_thousands || !differ : known == Style::decimal_comma)) {
    found.style = Style::decimal_comma;
    found.values = std::move(decimal);
  } else if (all_thousands && (open ? !all_decimal : known == Style::thousands)) {
    found.style = Style::thousands;
    found.values = std::move(thousands);
  } else {
    found.style = Style::ambiguous;
    if (!open)
      found.doubtful = known == Style::thousands ? only_decimal : only_thousands;
    else if (!differ)
      found.doubtful = all_thousands ? only_thousands : only_decimal;
  }
  return found;
}

}  // namespace induce
