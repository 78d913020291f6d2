// Formatting of numbers and words.
#pragma once

#include <string>
#include <string_view>

#include "text/words.hpp"

namespace induce {

std::string significant(double value, int digits);  // 0.01234, 12.34, 1.234e+09
std::string fixed(double value, int decimals);      // NaN becomes "-"
std::string grouped(unsigned long long value);      // 1,234,567
// As people write it, without an exponent unless it is very large or small: 12,340, 0.0123.
std::string readable(double value, int digits);
// A count and its noun: "1 row", "1,234 rows".
std::string counted(std::size_t count, const std::string& one, const std::string& many = {});
std::string csv_field(std::string_view text);  // quoted if RFC 4180 requires it
std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);
std::size_t letters_in(std::string_view text);  // of UTF-8
// At most `longest` bytes, the last of them "..." if the text is longer; no letter is cut.
std::string shortened(const std::string& text, std::size_t longest);

}  // namespace induce
