// See dates.hpp.
#include "read/dates.hpp"

#include <chrono>
#include <cstdint>

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

bool take_digits(std::string_view& text, std::size_t digits, int& value) {
  return take_digits(text, digits, digits, value);
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// "10:30", "9:30 PM", "10:30:00" or "10:30:00.25"
bool take_time(std::string_view& text, double& seconds) {
  int hour = 0, minute = 0, second = 0;
  if (!take_digits(text, 1, 2, hour) || !take(text, ':') || !take_digits(text, 2, minute)) return false;
  std::int64_t fraction = 0, units = 1;  // of a second; what is below a nanosecond does not count
  if (take(text, ':')) {
    if (!take_digits(text, 2, second)) return false;
    if (take(text, '.')) {
      int digit = 0;
      if (!take_digits(text, 1, digit)) return false;
      do {
        if (units == 1'000'000'000) continue;
        fraction = 10 * fraction + digit;
        units *= 10;
      } while (take_digits(text, 1, digit));
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
  if ((!take(text, '+') && !take(text, '-')) || !take_digits(text, 2, hour)) return false;
  if (take(text, ':') ? !take_digits(text, 2, minute) : !text.empty() && !take_digits(text, 2, minute))
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
bool take_date(std::string_view& token, const DateOrder* order, std::chrono::year_month_day& date) {
  using namespace std::chrono;
  int parts[3] = {0, 0, 0};
  std::string_view rest = token;
  if (take_parts(rest, 4, 2, parts)) {
    date = {year(parts[0]), month(static_cast<unsigned>(parts[1])), day(static_cast<unsigned>(parts[2]))};
  } else {
    rest = token;
    if (!order || !take_parts(rest, 2, 4, parts)) return false;
    const bool dots = token.find('.') < token.size() - rest.size();
    const bool day_first = dots || *order == DateOrder::day_first;
    date = {year(parts[2]), month(static_cast<unsigned>(parts[day_first ? 1 : 0])),
            day(static_cast<unsigned>(parts[day_first ? 0 : 1]))};
  }
  token = rest;
  return date.ok();
}

bool read_date(std::string_view token, const DateOrder* order, double& days) {
  std::chrono::year_month_day date;
  if (!take_date(token, order, date)) return false;
  double time = 0, zone = 0;
  if (!token.empty()) {
    if (!take(token, ' ') && !take(token, 'T') && !take(token, 't')) return false;
    if (!take_time(token, time) || !take_zone(token, zone) || !token.empty()) return false;
  }
  days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + (time - zone) / 86400;
  return true;
}

}  // namespace

bool is_date(std::string_view token, DateOrder order, double& days) { return read_date(token, &order, days); }
bool is_date(std::string_view token, double& days) { return read_date(token, nullptr, days); }

}  // namespace induce::detail
