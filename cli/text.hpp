// Numbers and words for people (rounded, with thousands) and for machines (every bit recoverable).
#pragma once

#include <string>
#include <string_view>

namespace induce::cli {

std::string shortest(double value);                 // the shortest text that reads back to the same bits
std::string significant(double value, int digits);  // 0.01234, 12.34, 1.234e+09
std::string fixed(double value, int decimals);      // "nan" becomes "-"
std::string grouped(unsigned long long value);      // 1,234,567
std::string csv_field(std::string_view text);       // quoted where RFC 4180 asks for it
std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);

}  // namespace induce::cli
