// Number parsing and its error messages, shared by CSV fields, LIBSVM values and labels.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include <fast_float/fast_float.h>

namespace induce::detail {

// A missing value among numbers.
inline constexpr double missing_cell = std::numeric_limits<double>::quiet_NaN();

// Parses a decimal number at the start of [begin, end) and returns its end, or nullptr if there is none. A
// leading '+' is accepted. Numbers that overflow become infinity, numbers that underflow zero.
inline const char* parse_number(const char* begin, const char* end, double& value) {
  if (begin != end && *begin == '+') {
    ++begin;
    if (begin != end && (*begin == '-' || *begin == '+')) return nullptr;
  }
  const auto [stop, error] = fast_float::from_chars(begin, end, value);
  return error == std::errc() || error == std::errc::result_out_of_range ? stop : nullptr;
}

// True if the whole token is one finite number.
inline bool is_number(std::string_view token, double& value) {
  const char* end = token.data() + token.size();
  return !token.empty() && parse_number(token.data(), end, value) == end && std::isfinite(value);
}

inline bool is_number(std::string_view token) {
  double value = 0;
  return is_number(token, value);
}

// True if the whole token is an infinite number, or one that is too large for a double.
inline bool is_infinite(std::string_view token) {
  double value = 0;
  const char* end = token.data() + token.size();
  return parse_number(token.data(), end, value) == end && std::isinf(value);
}

// True for an empty token and the usual missing-value markers: NA, N/A, NaN, null, none, ?
bool is_missing_value(std::string_view token);

// The same for a cell of a table, and also for other spellings of NaN, such as -nan.
bool is_missing_cell(std::string_view token);

// Ignores the case of ASCII letters only.
bool equal_ignoring_case(std::string_view a, std::string_view b);

// The reason why is_number rejects a token.
std::string why_not_a_number(std::string_view token);

}  // namespace induce::detail
