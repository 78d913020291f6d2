// CSV grammar (RFC 4180): the ends of fields and records, and the unquoted text of a field. A quote opens a
// quoted field only at the start of the field (after blanks); elsewhere it is an ordinary character.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "read/place.hpp"

namespace induce::detail {

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

// The same for a field that is no longer in the file's text; `place`: where it was.
std::string text_of_placed_field(std::string_view raw, const Place& place);

// False for a blank line.
inline bool is_row(std::string_view record, char delimiter) {
  for (const char c : record)
    if ((c != ' ' && c != '\t' && c != '\r') || c == delimiter) return true;
  return false;
}

}  // namespace induce::detail
