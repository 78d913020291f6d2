// One number in a text, and what to say if it is none. The same for CSV fields, LIBSVM values and labels.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <system_error>

#include <fast_float/fast_float.h>

namespace induce {

// Parses a decimal number at the start of [begin, end) and returns where it stops; nullptr if there is none.
// A leading '+' is accepted. Too large a number comes back as infinity, too small a one as zero.
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

// True for an empty token and for the usual marks of a missing value: NA, N/A, NaN, null, none, ?
bool is_missing_value(std::string_view token);

// True if the two are equal but for the case of ASCII letters.
bool equal_ignoring_case(std::string_view a, std::string_view b);

// Why a token that is_number refuses was refused.
std::string why_not_a_number(std::string_view token);

}  // namespace induce
