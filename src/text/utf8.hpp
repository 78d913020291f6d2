// Names and other texts from files: they may contain anything, bytes that are not UTF-8 and control characters included.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace induce::detail {

inline constexpr std::size_t longest_name = 40, longest_title = 300;  // in letters

std::size_t letters_in(std::string_view text);
// UTF-8 without control characters (U+FFFD in their place); tabs and line ends are blanks.
std::string clean(std::string_view text);
// Each line clean: what a terminal may show.
std::string clean_lines(std::string_view text);
// Clean, and at most this many letters, the last of them "…".
std::string brief(std::string_view text, std::size_t letters = longest_name);
// At most `longest` bytes, the last of them "..." if the text is longer; no letter is cut.
std::string shortened(const std::string& text, std::size_t longest);

}  // namespace induce::detail
