// See dates.hpp.
#include "io/dates.hpp"

#include <chrono>

namespace induce {
namespace {

// Takes a number of exactly `digits` digits from the front; false if there is none.
bool take_digits(std::string_view& text, int digits, int& value) {
  if (text.size() < static_cast<std::size_t>(digits)) return false;
  value = 0;
  for (int i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = 10 * value + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return true;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// "10:30", "10:30:00" or "10:30:00.25"
bool take_time(std::string_view& text, double& seconds) {
  int hour = 0, minute = 0, second = 0;
  if (!take_digits(text, 2, hour) || !take(text, ':') || !take_digits(text, 2, minute)) return false;
  double fraction = 0;
  if (take(text, ':')) {
    if (!take_digits(text, 2, second)) return false;
    if (take(text, '.')) {
      double unit = 0.1;
      int digit = 0;
      if (!take_digits(text, 1, digit)) return false;
      do {
        fraction += unit * digit;
        unit /= 10;
      } while (take_digits(text, 1, digit));
    }
  }
  seconds = 3600 * hour + 60 * minute + second + fraction;
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

}  // namespace

bool is_date(std::string_view token, double& days) {
  int year = 0, month = 0, day = 0;
  if (!take_digits(token, 4, year) || !take(token, '-') || !take_digits(token, 2, month) ||
      !take(token, '-') || !take_digits(token, 2, day))
    return false;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return false;
  double time = 0, zone = 0;
  if (!token.empty()) {
    if (!take(token, ' ') && !take(token, 'T') && !take(token, 't')) return false;
    if (!take_time(token, time) || !take_zone(token, zone) || !token.empty()) return false;
  }
  days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + (time - zone) / 86400;
  return true;
}

bool is_date(std::string_view token) {
  double days = 0;
  return is_date(token, days);
}

}  // namespace induce
