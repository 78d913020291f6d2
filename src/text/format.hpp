// Formatting of numbers and words.
#pragma once

#include <string>
#include <string_view>

#include "text/utf8.hpp"
#include "text/words.hpp"

namespace induce::detail {

std::string fixed(double value, int decimals);  // NaN becomes "-"
std::string grouped(unsigned long long value);  // 1,234,567
// A quantity as people write it: at least so many significant digits, all digits before the point, and an exponent only from 1e15 on and
// below 0.0001. With three digits: 0.0123, 1.23, 12.3, 123, 12,346.
std::string readable(double value, int digits);
// A count and its noun: "1 row", "1,234 rows".
std::string counted(std::size_t count, const std::string& one, const std::string& many = {});
std::string csv_field(std::string_view text);  // quoted if RFC 4180 requires it
std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);

}  // namespace induce::detail
