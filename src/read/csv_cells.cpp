// See csv_cells.hpp.
#include "read/csv_cells.hpp"

#include <cmath>

#include "read/column_doubts.hpp"
#include "read/csv_fields.hpp"
#include "read/dates.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

void check_width(std::string_view record, const CsvLayout& layout) {
  const std::size_t found = raw_fields(record, layout.delimiter).size();
  if (found != layout.columns())
    throw ParseFault{record.data(), "the row has " + std::to_string(found) + " columns, expected " +
                                        std::to_string(layout.columns())};
}

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

// A record while it is parsed.
struct Row {
  std::string_view record;
  const char* end;
  const CsvLayout& layout;
};

// A number that ends at the end of its field. Returns that end, or nullptr. Sets values that are not finite, too.
const char* plain_number(const char* p, const Row& row, double& value) {
  const char* stop = parse_number(p, row.end, value);
  if (!stop) return nullptr;
  stop = skip_blanks(stop, row.end, row.layout.delimiter);
  return stop == row.end || *stop == row.layout.delimiter ? stop : nullptr;
}

// Everything else starts no number that a column of numbers may have: digits, signs, the point; "inf" and "nan" are
// texts until the kind of the column is known.
bool may_start_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.'; }

// Blanks inside the quotes do not count. Stores a text that had doubled quotes.
std::string_view unquoted(std::string_view field, ChunkCells& cells) {
  const std::string_view inner = field.substr(1, field.size() - 2);
  if (field.size() >= 2 && field.back() == '"' && inner.find('"') == std::string_view::npos)
    return trimmed(inner);
  const std::string text = text_of_field(field);
  return trimmed(cells.unquoted.emplace_back(text));
}

const char* parse_feature(const char* p, const Row& row, CellRule rule, double& cell, CellCounts& counts,
                          ChunkCells& cells) {
  const char delimiter = row.layout.delimiter;
  const char* start = skip_blanks(p, row.end, delimiter);
  if (start == row.end || *start == delimiter) {
    ++counts.missing;
    cell = missing_cell;
    return start;
  }
  if (rule != CellRule::category && may_start_number(*start)) {
    double value = 0;
    const char* stop = plain_number(start, row, value);
    if (stop && std::isfinite(value)) {
      ++counts.numbers;
      counts.padded += is_padded(between(start, stop)) ? 1 : 0;
      cell = value;
      return stop;
    }
  }
  const char* stop = end_of_field(start, row.end, delimiter);
  std::string_view token = trimmed(between(start, stop));
  if (*start == '"') token = unquoted(token, cells);
  cell = parse_token(token, start, rule, counts);
  return stop;
}

const char* parse_weight(const char* p, const Row& row, std::size_t column, double& weight) {
  const CsvLayout& layout = row.layout;
  const char* stop = plain_number(skip_blanks(p, row.end, layout.delimiter), row, weight);
  if (stop && weight >= 0 && std::isfinite(weight)) return stop;
  stop = end_of_field(p, row.end, layout.delimiter);
  check_width(row.record, layout);
  const std::string text = text_of_field(between(p, stop));
  if (is_number(trimmed(text), weight) && weight >= 0) return stop;
  throw ParseFault{p, why_no_weight(layout, column, trimmed(text))};
}

}  // namespace

double parse_token(std::string_view token, const char* at, CellRule rule, CellCounts& counts) {
  double value = 0;
  if (token.empty()) {
    ++counts.missing;
    return missing_cell;
  }
  if (rule != CellRule::category) {
    if (may_start_number(token.front()) && is_number(token, value)) {
      ++counts.numbers;
      counts.padded += is_padded(token) ? 1 : 0;
      return value;
    }
    if (token.size() >= 10 && token[4] == '-' && is_date(token, value)) {
      ++counts.dates;
      return value;
    }
  }
  return cell_of_text(counts.texts.add(token, at));
}

std::string why_no_weight(const CsvLayout& layout, std::size_t column, std::string_view token) {
  return layout.name_of_column(column) + ": " +
         (is_number(token) ? in_quotes(token) + " is negative" : why_not_a_number(token)) +
         "; a weight must be a finite number >= 0";
}

void parse_row(std::string_view record, const CsvLayout& layout, const RowTarget& target, ChunkCells& cells) {
  if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
  const char* p = record.data();
  const Row row{record, p + record.size(), layout};
  const std::size_t columns = layout.columns();
  for (std::size_t column = 0; column < columns; ++column) {
    const int use = layout.target[column];
    const char* stop = nullptr;
    if (use >= 0) {
      stop = parse_feature(p, row, layout.rule[use], target.features[use], cells.features[use], cells);
    } else if (use == CsvLayout::weight_column && target.weight) {
      stop = parse_weight(p, row, column, *target.weight);
    } else {
      stop = end_of_field(p, row.end, layout.delimiter);
      if (use == CsvLayout::label_column && target.label) *target.label = trimmed(between(p, stop));
    }
    if (target.id && column == layout.id) *target.id = trimmed(between(p, stop));
    if ((stop == row.end) != (column + 1 == columns)) check_width(record, layout);
    p = stop + 1;
  }
}

}  // namespace induce::detail
