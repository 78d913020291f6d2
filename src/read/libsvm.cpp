// See libsvm.hpp. Two parallel passes over chunks of the text: count the rows and pairs and find the largest index, so
// that the table can be allocated once, with its zeros or without; then parse. Indices must be ascending, so the first pass
// reads only the last pair of each line; the second pass checks the order.
#include "read/libsvm.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "read/libsvm_lines.hpp"
#include "rows/sparse_rows.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

using namespace libsvm;

namespace {

// Either all rows have labels or none has; if none, clears `labels`.
void check_all_or_none(std::vector<std::string_view>& labels) {
  const bool labelled = !labels.front().empty();
  for (const std::string_view label : labels)
    if (label.empty() == labelled)
      throw ParseFault{label.data(), labelled ? "the line has no label, but the first has one"
                                              : "the line has a label, but the first has none"};
  if (!labelled) labels.clear();
}

// Each chunk has left its entries from first_pair on, perhaps fewer than there was room for.
void close_gaps(const std::vector<std::size_t>& first_row, const std::vector<std::size_t>& first_pair,
                SparseRows& rows) {
  std::size_t end = 0;
  for (std::size_t part = 0; part + 1 < first_row.size(); ++part) {
    if (first_row[part] == first_row[part + 1]) continue;
    const std::size_t from = first_pair[part],
                      count = static_cast<std::size_t>(rows.row_start[first_row[part + 1]]) - from;
    if (from != end) {
      std::copy_n(rows.column.data() + from, count, rows.column.data() + end);
      std::copy_n(rows.value.data() + from, count, rows.value.data() + end);
      for (std::size_t i = first_row[part]; i < first_row[part + 1]; ++i)
        rows.row_start[i + 1] -= static_cast<std::int64_t>(from - end);
    }
    end += count;
  }
  rows.column.resize(end);
  rows.value.resize(end);
}

}  // namespace

ParsedTable parse_libsvm(std::string_view text, const ReadOptions& options) {
  const std::vector<std::string_view> chunks = split_at_newlines(text, options.threads);
  const auto for_each_row = [](std::string_view chunk, auto&& visit) {
    while (!chunk.empty()) {
      const std::string_view line = without_comment(take_line(chunk));
      if (!line.empty()) visit(line);
    }
  };

  // Pairs have a colon each; a qid: is counted too, and zeros are left out when they are parsed.
  std::vector<std::size_t> first_row(chunks.size() + 1, 0), first_pair(chunks.size() + 1, 0),
      largest_index(chunks.size(), 0);
  for_each_part(chunks.size(), options.threads, [&](std::size_t part) {
    std::size_t rows = 0, pairs = 0, largest = 0;
    for_each_row(chunks[part], [&](std::string_view line) {
      ++rows;
      pairs += static_cast<std::size_t>(std::count(line.begin(), line.end(), ':'));
      largest = std::max(largest, last_index(line));
    });
    first_row[part + 1] = rows;
    first_pair[part + 1] = pairs;
    largest_index[part] = largest;
  });
  std::partial_sum(first_row.begin(), first_row.end(), first_row.begin());
  std::partial_sum(first_pair.begin(), first_pair.end(), first_pair.begin());
  const std::size_t n = first_row.back();
  if (n == 0) throw ParseFault{nullptr, "the file has comments but no rows"};
  const std::size_t d = options.expected_count() != 0
                            ? options.expected_count()
                            : *std::max_element(largest_index.begin(), largest_index.end());

  ParsedTable table;
  const bool is_sparse = stays_sparse(n, d, first_pair.back());
  if (is_sparse && d > most_sparse_columns)
    throw ParseFault{nullptr, "the largest index is " + std::to_string(d) + ": at most " +
                                  std::to_string(most_sparse_columns) + " columns are supported"};
  if (is_sparse) {
    table.sparse.emplace();
    table.sparse->d = d;
    table.sparse->row_start.assign(n + 1, 0);
    table.sparse->column.resize(first_pair.back());
    table.sparse->value.resize(first_pair.back());
  } else {
    table.X = allocate_table(n, d);
  }
  table.labels.resize(n);
  const std::size_t highest = *std::max_element(largest_index.begin(), largest_index.end());
  std::atomic<bool> sparse{false};  // does any row omit a feature?
  for_each_part(chunks.size(), options.threads, [&](std::size_t part) {
    std::size_t i = first_row[part], pair = first_pair[part];
    for_each_row(chunks[part], [&](std::string_view line) {
      bool complete = false;
      if (is_sparse) {
        complete = parse_line(line, d, options, &table.labels[i], [&](std::size_t column, double value) {
          if (value == 0) return;
          table.sparse->column[pair] = static_cast<std::int32_t>(column);
          table.sparse->value[pair++] = value;
        });
        table.sparse->row_start[i + 1] = static_cast<std::int64_t>(pair);
      } else {
        double* row = table.X.row(static_cast<Index>(i)).data();
        std::fill_n(row, d, 0.0);
        complete = parse_line(line, d, options, &table.labels[i],
                              [&](std::size_t column, double value) { row[column] = value; });
      }
      if (!complete || last_index(line) != highest) sparse = true;
      ++i;
    });
  });
  if (is_sparse) close_gaps(first_row, first_pair, *table.sparse);
  if (options.dense_shows_all && highest < d && !sparse)
    throw ParseFault{nullptr, "the data has " + std::to_string(highest) +
                                  " features in every row, expected " + std::to_string(d)};
  if (d == 0) throw ParseFault{nullptr, "no line has a pair index:value, so there are no features"};
  check_all_or_none(table.labels);
  return table;
}

LineFormat line_format(std::string_view line) {
  const auto is_pair = [](std::string_view token) {
    if (token.starts_with("qid:")) return true;
    const std::size_t colon = token.find(':');
    if (colon == std::string_view::npos || token.find_first_of(":,;", colon + 1) != std::string_view::npos)
      return false;
    std::string_view index = token.substr(0, colon);
    if (index.starts_with('-')) index.remove_prefix(1);
    return !index.empty() && index.find_first_not_of("0123456789") == std::string_view::npos;
  };
  line = without_comment(line);
  const std::string_view first = take_token(line);
  const std::string_view second = take_token(line);
  if (is_pair(first) || is_pair(second)) return LineFormat::libsvm;
  const bool unknown = second.empty() && first.find_first_of(",;\"") == std::string_view::npos;
  return unknown ? LineFormat::unknown : LineFormat::csv;
}

}  // namespace induce::detail
