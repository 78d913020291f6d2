// The grammar of a line of LIBSVM text.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "read/lines.hpp"
#include "read/number.hpp"
#include "read/read_options.hpp"

namespace induce::detail::libsvm {

inline std::string_view without_comment(std::string_view line) {
  return trimmed(line.substr(0, line.find('#')));
}

// Removes the first token from the line and returns it; empty if there is none.
inline std::string_view take_token(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const std::string_view token = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return token;
}

inline std::size_t last_index(std::string_view line) {
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) return 0;
  std::size_t begin = colon;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::size_t index = 0;
  std::from_chars(line.data() + begin, line.data() + colon, index);
  return index;
}

// Says what is wrong with a pair.
[[noreturn]] void refuse_pair(std::string_view token);

// Parses the pairs of one line and calls store(column, value) for each. If d was found by the first pass, an index above d
// must be followed by a smaller one, which is the error to report. Returns whether the indices are 1, 2, 3, ... without a
// gap.
template <class Store>
bool parse_pairs(const char* p, const char* end, std::size_t d, bool d_is_given, const Store& store) {
  std::size_t last = 0, pairs = 0;
  for (;; ++pairs) {
    while (p != end && is_blank(*p)) ++p;
    if (p == end) return last == pairs;
    const char* token = p;
    const auto refuse = [&] {
      std::string_view rest(token, static_cast<std::size_t>(end - token));
      refuse_pair(take_token(rest));
    };
    std::size_t index = 0;
    while (p != end && *p >= '0' && *p <= '9' && p - token < 18)
      index = 10 * index + static_cast<unsigned>(*p++ - '0');
    if (p == token || p == end || *p != ':') refuse();
    double value = 0;
    const char* stop = parse_number(p + 1, end, value);
    if (!stop || (stop != end && !is_blank(*stop)) || !std::isfinite(value)) refuse();
    if (index == 0) throw ParseFault{token, "index 0: indices start at 1"};
    if (index <= last)
      throw ParseFault{token, "index " + std::to_string(index) + " after index " + std::to_string(last) +
                                  ": indices must be ascending"};
    if (index <= d)
      store(index - 1, value);
    else if (d_is_given)
      throw ParseFault{
          token, "index " + std::to_string(index) + " is above the number of features, " + std::to_string(d)};
    last = index;
    p = stop;
  }
}

// An unlabelled line gets an empty label that points to the line. Returns the result of parse_pairs.
template <class Store>
bool parse_line(std::string_view line, std::size_t d, const ReadOptions& options, std::string_view* label,
                const Store& store) {
  const char* end = line.data() + line.size();
  std::string_view rest = line;
  *label = take_token(rest);
  if (label->find(':') != std::string_view::npos) {
    if (options.labels_required)
      throw ParseFault{line.data(), "the line has no label: it starts with " + in_quotes(*label)};
    rest = line;
    *label = line.substr(0, 0);
  }
  std::string_view after_qid = rest;
  if (take_token(after_qid).starts_with("qid:")) rest = after_qid;
  return parse_pairs(rest.data(), end, d, options.expected_count() != 0, store);
}

}  // namespace induce::detail::libsvm
