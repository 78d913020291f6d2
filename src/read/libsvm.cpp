// LIBSVM text (chunk.hpp): "label index:value index:value ... # comment".
#include <algorithm>
#include <cmath>
#include <limits>

#include "read/chunk.hpp"

namespace induce::detail {
namespace {

std::string_view without_comment(std::string_view line) { return trimmed(line.substr(0, line.find('#'))); }

// Removes the first token from the line and returns it; empty if there is none.
std::string_view take_token(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const std::string_view token = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return token;
}

// Says what is wrong with the first pair.
[[noreturn]] void refuse_pair(std::string_view rest) {
  const std::string_view token = take_token(rest);
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos)
    throw ParseFault{token.data(), in_quotes(token) + " is not a pair index:value"};
  const std::string_view index = token.substr(0, colon);
  if (index.empty() || index.find_first_not_of("0123456789") != std::string_view::npos || index.size() > 18)
    throw ParseFault{token.data(), "the index " + in_quotes(index) + " in " + in_quotes(token) +
                                       " is not a positive integer"};
  throw ParseFault{token.data(),
                   "index " + std::string(index) + ": " + why_not_a_number(token.substr(colon + 1))};
}

// The pairs of one line as a row of entries. `most`: the largest index; 0: any.
void parse_pairs(std::string_view line, std::size_t most, Chunk& chunk) {
  constexpr std::size_t most_stored = std::numeric_limits<std::int32_t>::max();
  SparseRows& entries = chunk.entries;
  const char *p = line.data(), *end = p + line.size();
  std::size_t last = 0, pairs = 0;
  for (;; ++pairs) {
    while (p != end && is_blank(*p)) ++p;
    if (p == end) break;
    const char* token = p;
    const auto refuse = [&] { refuse_pair({token, static_cast<std::size_t>(end - token)}); };
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
    if (most != 0 && index > most)
      throw ParseFault{token, "index " + std::to_string(index) + " is above the number of features, " +
                                  std::to_string(most)};
    if (index <= most_stored) {  // otherwise check_features refuses the table
      entries.column.push_back(static_cast<std::int32_t>(index - 1));
      entries.value.push_back(value);
    }
    last = index;
    p = stop;
  }
  entries.row_start.push_back(static_cast<std::int64_t>(entries.value.size()));
  chunk.seen.pairs += pairs;
  chunk.seen.largest_index = std::max(chunk.seen.largest_index, last);
  chunk.seen.fewest_features = std::min(chunk.seen.fewest_features, last == pairs ? last : 0);
}

bool is_pair(std::string_view token) {
  if (token.starts_with("qid:")) return true;
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos || token.find_first_of(":,;", colon + 1) != std::string_view::npos)
    return false;
  std::string_view index = token.substr(0, colon);
  if (index.starts_with('-')) index.remove_prefix(1);
  return !index.empty() && index.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

void parse_libsvm(const ReadPlan& plan, Chunk& chunk) {
  SeenTable& seen = chunk.seen;
  chunk.entries = {};
  const std::size_t colons = count_of(':', chunk.text);
  chunk.entries.column.reserve(colons);
  chunk.entries.value.reserve(colons);
  std::string_view text = chunk.text;
  while (!text.empty()) {
    const std::string_view line = without_comment(take_line(text));
    if (line.empty()) continue;
    std::string_view rest = line, label = take_token(rest);
    const auto offset = static_cast<std::size_t>(line.data() - chunk.text.data());
    const bool labelled = label.find(':') == std::string_view::npos;
    if (!labelled) {
      if (plan.options.labels_required)
        throw ParseFault{line.data(), "the line has no label: it starts with " + in_quotes(label)};
      rest = line;
    }
    std::string_view after_qid = rest;
    if (take_token(after_qid).starts_with("qid:")) rest = after_qid;
    parse_pairs(rest, plan.options.expected_count(), chunk);
    std::optional<Place>& first = labelled ? seen.labelled : seen.unlabelled;
    if (!first) first = place_in(chunk.text, chunk.start, offset);
    if (plan.has_label())
      chunk.rows[seen.rows] = labelled ? cell_of_text(seen.labels.add(label, offset)) : missing_cell;
    if (plan.has_label() && labelled) check_successes(plan, label, nullptr, line.data());
    ++seen.rows;
  }
}

void check_all_or_no_labels(const SeenTable& seen) {
  if (!seen.labelled || !seen.unlabelled) return;
  const bool first = *seen.labelled < *seen.unlabelled;
  throw ParseFault{
      nullptr,
      first ? "the line has no label, but the first has one" : "the line has a label, but the first has none",
      Fault::data, first ? *seen.unlabelled : *seen.labelled};
}

void check_features(const ReadPlan& plan, const SeenTable& seen) {
  const std::size_t found = seen.largest_index, d = std::max(found, plan.options.expected_count());
  const bool wide = stays_sparse(seen.rows, d, seen.pairs) ? d > most_sparse_columns
                                                           : d > std::numeric_limits<std::int32_t>::max();
  if (wide)
    refuse("the largest index is " + std::to_string(d) + ": at most " + std::to_string(most_sparse_columns) +
           " columns are supported");
  if (plan.options.dense_shows_all && found < d && seen.fewest_features == found)
    refuse("the data has " + std::to_string(found) + " features in every row, expected " + std::to_string(d));
  if (d == 0) refuse("no line has a pair index:value, so there are no features");
}

std::optional<Format> line_format(std::string_view line) {
  line = without_comment(line);
  const std::string_view first = take_token(line);
  const std::string_view second = take_token(line);
  if (is_pair(first) || is_pair(second)) return Format::libsvm;
  if (second.empty() && first.find_first_of(",;\"") == std::string_view::npos) return std::nullopt;
  return Format::csv;
}

}  // namespace induce::detail
