// See csv.hpp. Two parallel passes over chunks of the text: count the rows, so that the table can be
// allocated once and every chunk knows its offset in it; then parse. If the body contains quotes, a newline
// may be part of a field, so there is only one chunk.
#include "io/csv.hpp"

#include <cmath>
#include <numeric>

#include "io/csv_fields.hpp"
#include "io/csv_layout.hpp"
#include "io/number.hpp"
#include "rows/workers.hpp"

namespace induce {
namespace {

void check_width(std::string_view record, const CsvLayout& layout) {
  const std::size_t found = raw_fields(record, layout.delimiter).size();
  if (found != layout.columns())
    throw ParseFault{record.data(), "the row has " + std::to_string(found) + " columns, expected " +
                                        std::to_string(layout.columns())};
}

// Slow path for a field that is not a plain number: a quoted number, or an error.
double parse_unusual(std::string_view raw, std::string_view record, std::size_t column,
                     const CsvLayout& layout) {
  check_width(record, layout);
  const std::string text = text_of_field(raw);
  const std::string_view token = trimmed(text);
  double value = 0;
  if (is_number(token, value)) return value;
  std::string what = layout.name_of_column(column) + ": " + why_not_a_number(token);
  if (layout.target[column] == CsvLayout::weight_column) what += "; a weight must be a finite number >= 0";
  if (layout.header.empty() && trimmed(layout.body).data() == trimmed(record).data())
    what += " (if this line is a header, name the label column)";
  throw ParseFault{raw.data(), what};
}

// Destinations for the parts of a row; nullptr if missing or unused.
struct RowTarget {
  double* features;
  std::string_view* label;
  double* weight;

  double* number(int target) const {
    return target >= 0 ? features + target : target == CsvLayout::weight_column ? weight : nullptr;
  }
};

void check_weight(double weight, std::string_view raw, std::string_view record, std::size_t column,
                  const CsvLayout& layout) {
  if (weight >= 0) return;
  check_width(record, layout);
  throw ParseFault{raw.data(), layout.name_of_column(column) + ": " + in_quotes(text_of_field(raw)) +
                                   " is negative; a weight must be a finite number >= 0"};
}

void parse_row(std::string_view record, const CsvLayout& layout, const RowTarget& row) {
  if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
  const char* p = record.data();
  const char* end = p + record.size();
  for (std::size_t column = 0; column < layout.columns(); ++column) {
    const int target = layout.target[column];
    const char* stop = nullptr;
    if (double* number = row.number(target)) {
      double value = 0;
      stop = parse_number(skip_blanks(p, end, layout.delimiter), end, value);
      if (stop) stop = skip_blanks(stop, end, layout.delimiter);
      if (!stop || (stop != end && *stop != layout.delimiter) || !std::isfinite(value)) {
        stop = end_of_field(p, end, layout.delimiter);
        value = parse_unusual({p, static_cast<std::size_t>(stop - p)}, record, column, layout);
      }
      if (number == row.weight)
        check_weight(value, {p, static_cast<std::size_t>(stop - p)}, record, column, layout);
      *number = value;
    } else {
      stop = end_of_field(p, end, layout.delimiter);
      if (target == CsvLayout::label_column) {
        std::string_view& label = *row.label;
        label = trimmed({p, static_cast<std::size_t>(stop - p)});
        if (label.empty() || (label.front() == '"' && text_of_field(label).empty())) {
          check_width(record, layout);
          throw ParseFault{p, layout.name_of_column(column) + ": the label is missing"};
        }
      }
    }
    const bool last = column + 1 == layout.columns();
    if ((stop == end) != last) check_width(record, layout);
    p = stop + 1;
  }
}

}  // namespace

ParsedTable parse_csv(std::string_view text, const ReadOptions& options) {
  CsvLayout layout = csv_layout(text, options);
  const std::vector<std::string_view> chunks =
      layout.quoted ? std::vector{layout.body} : split_at_newlines(layout.body, options.threads);
  const auto for_each_row = [&](std::string_view chunk, auto&& visit) {
    while (!chunk.empty()) {
      const std::string_view record = take_record(chunk, layout.delimiter, layout.quoted);
      if (is_row(record, layout.delimiter)) visit(record);
    }
  };

  std::vector<std::size_t> first_row(chunks.size() + 1, 0);
  for_each_part(chunks.size(), options.threads, [&](std::size_t part) {
    std::size_t rows = 0;
    for_each_row(chunks[part], [&](std::string_view) { ++rows; });
    first_row[part + 1] = rows;
  });
  std::partial_sum(first_row.begin(), first_row.end(), first_row.begin());
  const std::size_t n = first_row.back();
  if (n == 0) throw ParseFault{nullptr, "the file has a header but no rows"};

  ParsedTable table{allocate_table(n, layout.features),
                    {},
                    layout.label_name,
                    layout.feature_names,
                    {},
                    layout.weight_name};
  const bool read_weights = layout.has_weight && !options.ignore_weights;
  if (layout.has_label) table.labels.resize(n);
  if (read_weights) table.weights.resize(n);
  for_each_part(chunks.size(), options.threads, [&](std::size_t part) {
    std::size_t i = first_row[part];
    for_each_row(chunks[part], [&](std::string_view record) {
      parse_row(record, layout,
                {table.X.row(static_cast<Index>(i)).data(), layout.has_label ? &table.labels[i] : nullptr,
                 read_weights ? &table.weights[i] : nullptr});
      ++i;
    });
  });
  return table;
}

}  // namespace induce
