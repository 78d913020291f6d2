// Lines, records and fields of text, places in it, and what is wrong there.
//
// Parsers do not count lines. They throw a ParseFault that points into the text; only then are the newlines
// before that point counted. Line numbers are thus correct in any chunk and cost nothing if there is no
// error. Who knows the Place sets it instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "text/words.hpp"

namespace induce::detail {

// A place in a list of files, for messages and to tell which of two comes first.
struct Place {
  std::uint32_t file = 0;    // its number
  std::uint64_t offset = 0;  // bytes of its text before the place, decompressed
  std::uint64_t line = 1;    // from 1

  bool operator<(const Place& other) const {
    return file != other.file ? file < other.file : offset < other.offset;
  }
};

struct ParseFault {
  const char* at;  // into the text; nullptr: concerns the whole file, or `place` says where
  std::string what;
  Fault fault = Fault::data;
  std::optional<Place> place{};
};

// Throws a ParseFault that concerns the whole file, or a place that is known.
[[noreturn]] void refuse(std::string what, Fault fault = Fault::data, std::optional<Place> place = {});

std::size_t count_of(char c, std::string_view text);

// Throws a ParseFault at the first byte that is not UTF-8.
void check_utf8(std::string_view text);

// The place so many bytes after the start of a text.
Place place_in(std::string_view text, const Place& start, std::size_t offset);
// A fault that points into the text, with its place; without a pointer it is that of the start. A fault that has one keeps it.
ParseFault placed(ParseFault fault, std::string_view text, const Place& start);

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

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

// The grammar of CSV text (RFC 4180). A quote opens a quoted field only at the start of the field (after blanks); elsewhere it
// is an ordinary character.

inline const char* skip_blanks(const char* p, const char* end, char delimiter) {
  while (p != end && (*p == ' ' || *p == '\t') && *p != delimiter) ++p;
  return p;
}

// The delimiter, newline or end of text that ends the field starting at p. An unclosed quote extends to the
// end of the text; text_of_field reports it.
inline const char* end_of_field(const char* p, const char* end, char delimiter) {
  p = skip_blanks(p, end, delimiter);
  if (p != end && *p == '"') {
    for (++p; p != end; ++p) {
      if (*p != '"') continue;
      if (p + 1 == end || p[1] != '"') break;  // the closing quote
      ++p;                                     // a doubled quote is an escaped quote
    }
  }
  while (p != end && *p != delimiter && *p != '\n') ++p;
  return p;
}

// Removes the first record from the text and returns it without its newline. `quoted`: fields may contain
// newlines in quotes.
std::string_view take_record(std::string_view& text, char delimiter, bool quoted);

// The fields of a record, unprocessed.
std::vector<std::string_view> raw_fields(std::string_view record, char delimiter);

// The field without surrounding blanks and quotes, doubled quotes unescaped. Throws a ParseFault.
std::string text_of_field(std::string_view raw);

// False for a blank line.
inline bool is_row(std::string_view record, char delimiter) {
  for (const char c : record)
    if ((c != ' ' && c != '\t' && c != '\r') || c == delimiter) return true;
  return false;
}

}  // namespace induce::detail
