// Elements of SVG 1.1: all that this library draws is written by these functions. Coordinates are pixels; text is escaped.
#pragma once

#include <string>
#include <string_view>

namespace induce::detail::svg {

inline constexpr const char* kInk = "#22272e";
inline constexpr const char* kFaintInk = "#5b6470";

std::string number(double value, int digits);  // without trailing zeros
std::string pixel(double value);
std::string escape(std::string_view text);  // of markup, and clean (text/utf8.hpp)

// The start of a picture on white, up to and including its <title>. Ends with "</svg>".
std::string head(double width, double height, std::string_view title);
std::string text_at(double x, double y, std::string_view attributes, std::string_view text);
std::string segment(double x0, double y0, double x1, double y1, std::string_view attributes);
// `title` is shown when the mouse rests on it.
std::string rectangle(double x, double y, double width, double height, std::string_view attributes,
                      std::string_view title = {});
std::string circle(double x, double y, double radius, std::string_view attributes);
std::string path(std::string_view steps, std::string_view attributes);
// "rotate(...)" about a point.
std::string turned(double degrees, double x, double y);

// 1, 2 or 5 times a power of ten, for about this many ticks in the range.
double tick_step(double range, int ticks);

}  // namespace induce::detail::svg
