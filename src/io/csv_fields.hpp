// The grammar of CSV (RFC 4180): where a field and a record end, and the text a field stands for. A quote
// opens a quoted field only at the field's start (after blanks); anywhere else it is an ordinary character.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace induce {

inline const char* skip_blanks(const char* p, const char* end, char delimiter) {
  while (p != end && (*p == ' ' || *p == '\t') && *p != delimiter) ++p;
  return p;
}

// The delimiter, newline or end of text that ends the field starting at p. A quote that is never closed runs
// to the end of the text; text_of_field complains about it.
inline const char* end_of_field(const char* p, const char* end, char delimiter) {
  p = skip_blanks(p, end, delimiter);
  if (p != end && *p == '"') {
    for (++p; p != end; ++p) {
      if (*p != '"') continue;
      if (p + 1 == end || p[1] != '"') break;  // the closing quote
      ++p;                                     // a doubled quote stands for one
    }
  }
  while (p != end && *p != delimiter && *p != '\n') ++p;
  return p;
}

// Takes the first record off the text, without its newline. `quoted`: newlines may stand inside quotes.
std::string_view take_record(std::string_view& text, char delimiter, bool quoted);

// The fields of a record as they stand there.
std::vector<std::string_view> raw_fields(std::string_view record, char delimiter);

// A field without blanks around it, without its quotes, doubled quotes single. Throws a ParseFault.
std::string text_of_field(std::string_view raw);

// False for a blank line: one without anything but blanks.
inline bool is_row(std::string_view record, char delimiter) {
  for (const char c : record)
    if ((c != ' ' && c != '\t' && c != '\r') || c == delimiter) return true;
  return false;
}

}  // namespace induce
