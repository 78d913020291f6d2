// Lines of text: splitting a file into chunks for threads, and locating the line of an error.
//
// Parsers do not count lines. They throw a ParseFault that points into the text; only then are the newlines
// before that point counted. Line numbers are thus correct in any chunk and cost nothing if there is no
// error. Who knows the Place (place.hpp) sets it instead.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "linalg/types.hpp"
#include "read/place.hpp"
#include "text/words.hpp"

namespace induce::detail {

struct ParseFault {
  const char* at;  // into the text; nullptr: concerns the whole file, or `place` says where
  std::string what;
  Fault fault = Fault::data;
  std::optional<Place> place{};
};

std::size_t count_newlines(std::string_view text);

// The physical line that contains `at`, 1-based.
std::size_t line_of(std::string_view text, const char* at);

// Splits the text after newlines into chunks of about equal size. Their number depends on the size of the
// text and the number of threads; parse results do not depend on it.
std::vector<std::string_view> split_at_newlines(std::string_view text, int threads);

// An uninitialized n x d table. Throws a ParseFault if there is not enough memory.
RowMatrix allocate_table(std::size_t n, std::size_t d);

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Removes the first line from the text and returns it without its newline.
inline std::string_view take_line(std::string_view& text) {
  const void* newline = text.empty() ? nullptr : std::memchr(text.data(), '\n', text.size());
  const std::size_t length =
      newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - text.data()) : text.size();
  const std::string_view line = text.substr(0, length);
  text.remove_prefix(newline ? length + 1 : length);
  return line;
}

}  // namespace induce::detail
