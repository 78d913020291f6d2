// See text_values.hpp.
#include "read/text_values.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

// Takes a number of `least` to `most` digits from the front; false if there is none.
bool take_digits(std::string_view& text, std::size_t least, std::size_t most, int& value) {
  std::size_t count = 0;
  value = 0;
  while (count < most && count < text.size() && text[count] >= '0' && text[count] <= '9')
    value = 10 * value + (text[count++] - '0');
  text.remove_prefix(count);
  return count >= least;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// "10:30", "9:30 PM", "10:30:00" or "10:30:00.25"
bool take_time(std::string_view& text, double& seconds) {
  int hour = 0, minute = 0, second = 0;
  if (!take_digits(text, 1, 2, hour) || !take(text, ':') || !take_digits(text, 2, 2, minute)) return false;
  std::int64_t fraction = 0, units = 1;  // of a second; what is below a nanosecond does not count
  if (take(text, ':')) {
    if (!take_digits(text, 2, 2, second)) return false;
    if (take(text, '.')) {
      int digit = 0;
      if (!take_digits(text, 1, 1, digit)) return false;
      do {
        if (units == 1'000'000'000) continue;
        fraction = 10 * fraction + digit;
        units *= 10;
      } while (take_digits(text, 1, 1, digit));
    }
  }
  for (const std::string_view half : {" AM", " PM"}) {
    if (text.size() != half.size() || !equal_ignoring_case(text, half)) continue;
    if (hour < 1 || hour > 12) return false;
    hour = hour % 12 + (half == " PM" ? 12 : 0);
    text = {};
  }
  // Rounded once, as for a count of microseconds.
  seconds = static_cast<double>((3600 * hour + 60 * minute + second) * units + fraction) /
            static_cast<double>(units);
  return hour < 24 && minute < 60 && second < 60;
}

// "", "Z", "+02:00", "-0530" or "+02"
bool take_zone(std::string_view& text, double& seconds) {
  seconds = 0;
  if (text.empty() || take(text, 'Z') || take(text, 'z')) return true;
  const double sign = text.front() == '-' ? -1 : 1;
  int hour = 0, minute = 0;
  if ((!take(text, '+') && !take(text, '-')) || !take_digits(text, 2, 2, hour)) return false;
  if (take(text, ':') ? !take_digits(text, 2, 2, minute) : !text.empty() && !take_digits(text, 2, 2, minute))
    return false;
  seconds = sign * (3600 * hour + 60 * minute);
  return hour < 24 && minute < 60;
}

// The separators are equal.
bool take_parts(std::string_view& text, std::size_t first, std::size_t last, int (&parts)[3]) {
  if (!take_digits(text, first == 4 ? 4 : 1, first, parts[0]) || text.empty()) return false;
  const char separator = text.front();
  if (separator != '-' && separator != '/' && separator != '.') return false;
  return take(text, separator) && take_digits(text, 1, 2, parts[1]) && take(text, separator) &&
         take_digits(text, last == 4 ? 4 : 1, last, parts[2]);
}

// The date, and what follows it.
bool take_date(std::string_view& token, TextStyle style, std::chrono::year_month_day& date) {
  using namespace std::chrono;
  int parts[3] = {0, 0, 0};
  std::string_view rest = token;
  if (take_parts(rest, 4, 2, parts)) {
    date = {year(parts[0]), month(static_cast<unsigned>(parts[1])), day(static_cast<unsigned>(parts[2]))};
  } else {
    rest = token;
    if (style == TextStyle::none || !take_parts(rest, 2, 4, parts)) return false;
    const bool dots = token.find('.') < token.size() - rest.size();
    const bool day_first = dots || style == TextStyle::day_first;
    date = {year(parts[2]), month(static_cast<unsigned>(parts[day_first ? 1 : 0])),
            day(static_cast<unsigned>(parts[day_first ? 0 : 1]))};
  }
  token = rest;
  return date.ok();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads a whole token: digits in one group or, with one of `separators` between them, in groups of three (one to three
// digits in the first, which is no 0: "0,134" is not a number of thousands); then perhaps `point` and digits.
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
  const bool leading_zero = !token.empty() && token.front() == '0';
  const std::size_t first = take_digits();
  if (first == 0) return false;
  const char separator = token.empty() ? '\0' : token.front();
  if (separators.find(separator) != std::string_view::npos) {
    if (first > 3 || leading_zero) return false;
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

// One of two readings of all texts. `read(style, i, value)`: the value of text i in that style, or false.
template <class Read>
TextValues one_of_two(std::size_t count, TextStyle a, TextStyle b, TextStyle known, Read read) {
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
  const bool open = known == TextStyle::none;
  found.certain = !open || !all_a || !all_b;
  if (all_a && (open ? !all_b || !differ : known == a)) {
    found.style = a;
    found.values = std::move(values_a);
  } else if (all_b && (open ? !all_a : known == b)) {
    found.style = b;
    found.values = std::move(values_b);
  } else {
    found.style = TextStyle::ambiguous;
    if (!open)
      found.doubtful = known == b ? only_a : only_b;
    else if (!differ)
      found.doubtful = all_b ? only_b : only_a;
  }
  return found;
}

TextValues read_dates(const std::vector<std::string_view>& texts, TextStyle known) {
  TextValues found = one_of_two(
      texts.size(), TextStyle::day_first, TextStyle::month_first, known,
      [&](TextStyle style, std::size_t i, double& value) { return is_date(texts[i], value, style); });
  found.dates = found.style != TextStyle::none;
  return found;
}

TextValues read_numbers(const std::vector<std::string_view>& texts, TextStyle known) {
  std::vector<Amount> amounts;
  std::string_view unit;
  std::size_t with_unit = 0;
  for (const std::string_view text : texts) {
    const Amount& amount = amounts.emplace_back(text);
    if (amount.unit.empty()) continue;
    if (with_unit++ > 0 && amount.unit != unit) return {};
    unit = amount.unit;
  }
  if (unit == percent && with_unit < texts.size()) return {};
  const bool has_point = unit == "$" || unit == "£" || unit == "USD" || unit == "GBP";
  return one_of_two(texts.size(), TextStyle::decimal_comma, TextStyle::thousands, known,
                    [&](TextStyle style, std::size_t i, double& value) {
                      const std::string& text = amounts[i].number;
                      if (style == TextStyle::thousands)
                        return read_in_style(text, ", '", '.', value) || is_number(text, value);
                      const bool plain = text.find('.') == std::string::npos && is_number(text, value);
                      return !has_point && (plain || read_in_style(text, ". '", ',', value));
                    });
}

}  // namespace

bool is_date(std::string_view token, double& days, TextStyle style) {
  std::chrono::year_month_day date;
  if (!take_date(token, style, date)) return false;
  double time = 0, zone = 0;
  if (!token.empty()) {
    if (!take(token, ' ') && !take(token, 'T') && !take(token, 't')) return false;
    if (!take_time(token, time) || !take_zone(token, zone) || !token.empty()) return false;
  }
  days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + (time - zone) / 86400;
  return true;
}

TextValues read_texts(const std::vector<std::string_view>& texts, TextStyle known) {
  const bool date_style = known == TextStyle::day_first || known == TextStyle::month_first;
  if (known == TextStyle::none || date_style)
    if (TextValues dates = read_dates(texts, known); dates.dates) return dates;
  return read_numbers(texts, date_style ? TextStyle::none : known);
}

std::string why_ambiguous(const TextValues& found, std::string_view doubtful) {
  return (found.dates ? "the day or the month may come first in " : "the separators in ") +
         in_quotes(doubtful) + (found.dates ? "" : " may be for decimals or for thousands");
}

}  // namespace induce::detail
