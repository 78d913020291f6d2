// Names and numbers as C source. Names come from files, so they may be anything: `*/`, quotes, trigraphs, line ends, bytes that
// are no UTF-8, letters that are written from right to left. Only printable ASCII is left as it is; all other bytes, and
// those that could end a comment, a literal or a tag of a page that shows the source, become octal escapes of three
// digits, which C reads back as the same bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace induce::detail::c_source {

// The inside of a string literal or a comment.
std::string escaped(std::string_view text);
// The same for people: the beginning of a long text and how long it is.
std::string shown(std::string_view text);
// A string literal of the whole text, or "0", a null pointer, where it is longer than compilers must accept.
std::string literal(std::string_view text);
inline constexpr std::size_t longest_shown = 60, longest_literal = 1000;  // bytes

// A number that reads back to the same bits, with a point or an exponent: it is a double.
std::string number(double value);
// "static const double NAME[COUNT] = {...};", lines of a readable length. Empty lists have one element: C has no empty arrays.
std::string array(const std::string& name, std::span<const double> values, const std::string& indent = "  ");
std::string array(const std::string& name, std::span<const std::size_t> values);  // of int; none is -1

}  // namespace induce::detail::c_source
