// A chunk of CSV text (chunk.hpp): one parse of its cells.
#include <cmath>

#include "read/chunk.hpp"
#include "text/successes.hpp"

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
struct Record {
  std::string_view text;
  const char* end;
  const CsvLayout& layout;
};

// A number that ends at the end of its field. Returns that end, or nullptr. Sets values that are not finite, too.
const char* plain_number(const char* p, const Record& record, double& value) {
  const char* stop = parse_number(p, record.end, value);
  if (!stop) return nullptr;
  stop = skip_blanks(stop, record.end, record.layout.delimiter);
  return stop == record.end || *stop == record.layout.delimiter ? stop : nullptr;
}

// Everything else starts no number that a column of numbers may have: digits, signs, the point; "inf" and "nan" are
// texts until the kind of the column is known.
bool may_start_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.'; }

// The text of a field. Stores one that had doubled quotes.
std::string_view text_in(std::string_view field, Chunk& chunk) {
  field = trimmed(field);
  if (!field.starts_with('"')) return field;
  const std::string_view inner = field.substr(1, field.size() - 2);
  if (field.size() >= 2 && field.back() == '"' && inner.find('"') == std::string_view::npos) return inner;
  return chunk.copies.emplace_back(text_of_field(field));
}

const char* parse_feature(const char* p, const Record& record, CellRule rule, double& cell, SeenColumn& seen,
                          Chunk& chunk) {
  const char delimiter = record.layout.delimiter;
  const char* start = skip_blanks(p, record.end, delimiter);
  if (start == record.end || *start == delimiter) {
    ++seen.missing;
    cell = missing_cell;
    return start;
  }
  if (rule != CellRule::category && may_start_number(*start)) {
    double value = 0;
    const char* stop = plain_number(start, record, value);
    if (stop && std::isfinite(value)) {
      ++seen.numbers;
      seen.padded += is_padded(between(start, stop)) ? 1 : 0;
      cell = value;
      return stop;
    }
  }
  const char* stop = end_of_field(start, record.end, delimiter);
  const std::string_view token = trimmed(text_in(between(start, stop), chunk));
  cell = parse_cell(token, static_cast<std::size_t>(start - chunk.text.data()), rule, seen);
  return stop;
}

const char* parse_weight(const char* p, const Record& record, std::size_t column, double& weight) {
  const CsvLayout& layout = record.layout;
  const char* stop = plain_number(skip_blanks(p, record.end, layout.delimiter), record, weight);
  if (stop && weight >= 0 && std::isfinite(weight)) return stop;
  stop = end_of_field(p, record.end, layout.delimiter);
  check_width(record.text, layout);
  const std::string text = text_of_field(between(p, stop));
  if (is_number(trimmed(text), weight) && weight >= 0) return stop;
  throw ParseFault{p, why_no_weight(layout, column, trimmed(text))};
}

// One record, without its newline, to `row`.
void parse_record(std::string_view text, const ReadPlan& plan, double* row, Chunk& chunk) {
  const CsvLayout& layout = plan.layout;
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  const char* p = text.data();
  const Record record{text, p + text.size(), layout};
  const std::size_t columns = layout.columns();
  std::string_view label, id;
  for (std::size_t column = 0; column < columns; ++column) {
    const int use = layout.target[column];
    const char* stop = nullptr;
    if (use >= 0) {
      stop = parse_feature(p, record, layout.rule[use], row[use], chunk.seen.features[use], chunk);
      if (column == layout.grouping) check_group(text_of_field(between(p, stop)), layout, p);
    } else if (use == CsvLayout::weight_column && plan.has_weight()) {
      stop = parse_weight(p, record, column, row[plan.width() - 1]);
    } else if (use == CsvLayout::trials_column && plan.has_trials()) {
      stop = end_of_field(p, record.end, layout.delimiter);
      row[layout.features + 1] = trials_of(trimmed(text_of_field(between(p, stop))), layout, column, p);
    } else {
      stop = end_of_field(p, record.end, layout.delimiter);
      if (use == CsvLayout::label_column) label = between(p, stop);
    }
    if (column == layout.id) id = between(p, stop);
    if ((stop == record.end) != (column + 1 == columns)) check_width(text, layout);
    p = stop + 1;
  }
  if (plan.has_label()) {
    const std::string_view token = text_in(label, chunk);
    row[layout.features] = cell_of_text(
        chunk.seen.labels.add(token, static_cast<std::size_t>(label.data() - chunk.text.data())));
    check_successes(plan, token, row, label.data());
  }
  if (plan.keeps_ids()) chunk.seen.ids.emplace_back(text_in(id, chunk));
}

}  // namespace

double parse_cell(std::string_view token, std::size_t offset, CellRule rule, SeenColumn& seen) {
  double value = 0;
  if (token.empty()) {
    ++seen.missing;
    return missing_cell;
  }
  if (rule != CellRule::category) {
    if (may_start_number(token.front()) && is_number(token, value)) {
      ++seen.numbers;
      seen.padded += is_padded(token) ? 1 : 0;
      return value;
    }
    if (token.size() >= 10 && token[4] == '-' && is_date(token, value)) {
      ++seen.dates;
      return value;
    }
  }
  return cell_of_text(seen.texts.add(token, offset));
}

std::string why_no_weight(const CsvLayout& layout, std::size_t column, std::string_view token) {
  return layout.name_of_column(column) + ": " +
         (is_number(token) ? in_quotes(token) + " is negative" : why_not_a_number(token)) +
         "; a weight must be a finite number >= 0";
}

void check_group(std::string_view token, const CsvLayout& layout, const char* at) {
  if (is_missing_value(trimmed(token)))
    throw ParseFault{at, layout.name_of_column(*layout.grouping) +
                             " has no value: --group and --time need one in each row"};
}

double trials_of(std::string_view token, const CsvLayout& layout, std::size_t column, const char* at) {
  double trials = 0;
  if (!is_number(token, trials))
    throw ParseFault{at, layout.name_of_column(column) + ": " + why_not_a_number(token) +
                             "; trials must be a whole number of at least 0"};
  return trials;
}

void check_successes(const ReadPlan& plan, std::string_view label, const double* row, const char* at) {
  if (!plan.options.counts() || is_missing_cell(trimmed(label))) return;
  double successes = 0;
  std::string why = is_number(trimmed(label), successes) ? "" : why_not_a_number(trimmed(label));
  if (why.empty())
    why = plan.has_trials() ? why_no_successes(successes, row[plan.layout.features + 1])
                            : why_no_share(successes);
  if (!why.empty()) throw ParseFault{at, "the label: " + why};
}

void parse_csv(const ReadPlan& plan, Chunk& chunk) {
  const char delimiter = plan.layout.delimiter;
  const std::size_t width = plan.width();
  std::string_view rest = chunk.text;
  while (!rest.empty()) {
    const std::string_view record = take_record(rest, delimiter, chunk.quoted);
    if (!is_row(record, delimiter)) continue;
    parse_record(record, plan, chunk.rows.data() + chunk.seen.rows * width, chunk);
    ++chunk.seen.rows;
  }
}

}  // namespace induce::detail
