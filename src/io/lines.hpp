// Text as records: where the lines are, how a file is cut into chunks for threads, and how an error finds its
// line.
//
// A parser never counts lines. It throws a ParseFault that points into the text, and only then are the
// newlines before that point counted: line numbers are right in any chunk and cost nothing in a file without
// errors.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "linalg/types.hpp"

namespace induce {

struct ParseFault {
  const char* at;  // into the text; nullptr: the fault is the whole file's
  std::string what;
  Fault fault = Fault::data;
};

// What a parser makes of a file. The labels are views of the text, one per row, just as they stand there.
struct ParsedTable {
  RowMatrix X;                           // n x d
  std::vector<std::string_view> labels;  // empty if the file has no labels
  std::string label_name;
  std::vector<std::string> feature_names;
  std::vector<double> weights;  // empty if none were asked for
  std::string weight_name;
};

// The physical line, from 1, that `at` is in.
std::size_t line_of(std::string_view text, const char* at);

// Cuts the text behind newlines into chunks of about equal size that together are the text; how many depends
// on the text's size and the number of threads. The results do not depend on where the cuts are.
std::vector<std::string_view> split_at_newlines(std::string_view text, int threads);

// An n x d table, not yet filled. Throws a ParseFault if there is no memory for it.
RowMatrix allocate_table(std::size_t n, std::size_t d);

// Tokens for messages: in quotes and cut to a bearable length.
std::string in_quotes(std::string_view token);

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the first line off the text, without its newline.
inline std::string_view take_line(std::string_view& text) {
  const void* newline = text.empty() ? nullptr : std::memchr(text.data(), '\n', text.size());
  const std::size_t length =
      newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - text.data()) : text.size();
  const std::string_view line = text.substr(0, length);
  text.remove_prefix(newline ? length + 1 : length);
  return line;
}

}  // namespace induce
