// See text_values.hpp.
#include "read/text_values.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "read/dates.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

using Style = TextValues::Style;

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

constexpr std::string_view percent = "%";
constexpr std::array<std::string_view, 23> units{percent, "$",   "€",   "£",   "¥",   "USD", "EUR", "GBP",
                                                 "JPY",   "CHF", "CNY", "INR", "CAD", "AUD", "NZD", "SEK",
                                                 "NOK",   "DKK", "PLN", "CZK", "HUF", "BRL", "MXN"};

// A number without its unit and the blanks beside it.
struct Amount {
  explicit Amount(std::string_view token) : number(token) {
    for (const std::string_view blank : {"\u00a0", "\u202f"})  // that no line may break at
      for (std::size_t at = number.find(blank); at != std::string::npos; at = number.find(blank))
        number.replace(at, blank.size(), " ");
    std::string sign;
    if (number.size() > 1 && (number[0] == '-' || number[0] == '+') && !is_digit(number[1])) {
      sign = number[0];
      number.erase(0, 1);
    }
    for (const std::string_view each : units) {
      if (number.ends_with(each))
        number.resize(number.size() - each.size());
      else if (each != percent && number.starts_with(each))
        number.erase(0, each.size());
      else
        continue;
      unit = each;
      break;
    }
    number = sign + std::string(trimmed(number));
  }

  std::string number;
  std::string_view unit;  // empty: none
};

struct Amounts {
  explicit Amounts(const std::vector<std::string_view>& texts) {
    std::size_t with_unit = 0;
    for (const std::string_view text : texts) {
      const Amount& each = all.emplace_back(text);
      if (each.unit.empty()) continue;
      one_unit = one_unit && (with_unit == 0 || each.unit == unit);
      unit = each.unit;
      ++with_unit;
    }
    one_unit = one_unit && (unit != percent || with_unit == texts.size());
  }

  std::vector<Amount> all;
  std::string_view unit;
  bool one_unit = true;
};

// One of two readings of all texts. `read(style, i, value)`: the value of text i in that style, or false.
template <class Read>
TextValues one_of_two(std::size_t count, Style a, Style b, Style known, Read read) {
  TextValues found;
  std::vector<double> values_a(count), values_b(count);
  bool all_a = true, all_b = true, differ = false;
  std::size_t only_a = 0, only_b = 0;  // the last such text
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_a = read(a, i, values_a[i]), is_b = read(b, i, values_b[i]);
    if (!is_a && !is_b) return found;
    if (!is_a) only_b = i;
    if (!is_b) only_a = i;
    all_a = all_a && is_a;
    all_b = all_b && is_b;
    if (is_a && is_b && values_a[i] != values_b[i] && !differ) {
      differ = true;
      found.doubtful = i;
    }
  }
  const bool open = known == Style::none;
  found.certain = !open || !all_a || !all_b;
  if (all_a && (open ? !all_b || !differ : known == a)) {
    found.style = a;
    found.values = std::move(values_a);
  } else if (all_b && (open ? !all_a : known == b)) {
    found.style = b;
    found.values = std::move(values_b);
  } else {
    found.style = Style::ambiguous;
    if (!open)
      found.doubtful = known == b ? only_a : only_b;
    else if (!differ)
      found.doubtful = all_b ? only_b : only_a;
  }
  return found;
}

TextValues read_dates(const std::vector<std::string_view>& texts, Style known) {
  TextValues found = one_of_two(
      texts.size(), Style::day_first, Style::month_first, known,
      [&](Style style, std::size_t i, double& value) {
        return is_date(texts[i], style == Style::day_first ? DateOrder::day_first : DateOrder::month_first,
                       value);
      });
  found.dates = found.style != Style::none;
  return found;
}

TextValues read_numbers(const std::vector<std::string_view>& texts, Style known) {
  const Amounts amounts(texts);
  if (!amounts.one_unit) return {};
  const bool has_point =
      amounts.unit == "$" || amounts.unit == "£" || amounts.unit == "USD" || amounts.unit == "GBP";
  return one_of_two(texts.size(), Style::decimal_comma, Style::thousands, known,
                    [&](Style style, std::size_t i, double& value) {
                      const std::string& text = amounts.all[i].number;
                      if (style == Style::thousands)
                        return read_in_style(text, ", '", '.', value) || is_number(text, value);
                      const bool plain = text.find('.') == std::string::npos && is_number(text, value);
                      return !has_point && (plain || read_in_style(text, ". '", ',', value));
                    });
}

}  // namespace

TextValues read_texts(const std::vector<std::string_view>& texts, Style known) {
  const bool date_style = known == Style::day_first || known == Style::month_first;
  if (known == Style::none || date_style)
    if (TextValues dates = read_dates(texts, known); dates.dates) return dates;
  return read_numbers(texts, date_style ? Style::none : known);
}

std::string why_ambiguous(const TextValues& found, std::string_view doubtful) {
  return (found.dates ? "the day or the month may come first in " : "the separators in ") +
         in_quotes(doubtful) + (found.dates ? "" : " may be for decimals or for thousands");
}

}  // namespace induce::detail
