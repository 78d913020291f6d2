// See csv_layout.hpp.
#include "data/csv_layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "data/csv_fields.hpp"
#include "data/lines.hpp"
#include "data/number.hpp"

namespace induce {
namespace {

using Fields = std::vector<std::string>;

std::string list_of(const Fields& names) {
  constexpr std::size_t shown = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
    list += (i ? ", " : "") + in_quotes(names[i]);
  if (names.size() > shown) list += ", ... (" + std::to_string(names.size()) + " in all)";
  return list;
}

std::optional<std::size_t> position_of(const Fields& fields, std::string_view name) {
  const auto found = std::find(fields.begin(), fields.end(), name);
  if (found == fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields.begin());
}

bool contains(const Fields& fields, std::string_view name) { return position_of(fields, name).has_value(); }

bool is_usual_label_name(std::string_view name) {
  constexpr std::array<std::string_view, 4> usual{"label", "target", "class", "y"};
  return std::any_of(usual.begin(), usual.end(), [&](auto word) { return equal_ignoring_case(name, word); });
}

std::optional<long> as_integer(std::string_view text) {
  long value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// The column that an index, negative from the end, stands for.
std::size_t column_at(long index, std::size_t columns) {
  const long count = static_cast<long>(columns);
  if (index < -count || index >= count)
    throw ParseFault{nullptr,
                     "the label column " + std::to_string(index) + " is not there: the table has " +
                         std::to_string(columns) + " columns, so it must be from " + std::to_string(-count) +
                         " to " + std::to_string(count - 1),
                     Fault::usage};
  return static_cast<std::size_t>(index < 0 ? index + count : index);
}

char find_delimiter(std::string_view text) {
  bool inside = false, tab = false, semicolon = false;
  for (const char c : text) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\n') break;
    tab |= c == '\t';
    semicolon |= c == ';';
  }
  return tab ? '\t' : semicolon ? ';' : ',';
}

// A table without labels can be told by the number of its columns alone.
bool has_only_features(std::size_t columns, const ReadOptions& options) {
  return !options.labels_required && columns == options.expected_count();
}

// The names 0, 1, 2 ... of a data frame whose columns were never named, and a name for the label.
bool is_numbered_header(const Fields& features, const std::string& label) {
  long last = -1;
  for (const std::string& feature : features) {
    const auto number = as_integer(feature);
    if (!number || *number <= last) return false;
    last = *number;
  }
  return is_usual_label_name(label);
}

bool is_header(const Fields& first, const ReadOptions& options) {
  const auto index = as_integer(options.label);
  if (!index && contains(first, options.label) && !options.label.empty()) return true;
  if (!options.expected_features.empty() &&
      std::all_of(options.expected_features.begin(), options.expected_features.end(),
                  [&](const std::string& name) { return contains(first, name); }))
    return true;
  Fields features = first;
  std::string label;
  if (!has_only_features(first.size(), options)) {
    const std::size_t column = column_at(index.value_or(-1), first.size());
    label = first[column];
    features.erase(features.begin() + static_cast<std::ptrdiff_t>(column));
  }
  if (std::any_of(features.begin(), features.end(), [](const auto& field) { return is_number(field); }))
    return is_numbered_header(features, label);
  return std::any_of(features.begin(), features.end(),
                     [](const auto& field) { return !is_missing_value(field); });
}

// The label column where none was named.
std::optional<std::size_t> usual_label(const Fields& header, std::size_t columns,
                                       const ReadOptions& options) {
  std::vector<std::size_t> candidates;
  for (std::size_t column = 0; column < header.size(); ++column)
    if (is_usual_label_name(header[column]) && !contains(options.expected_features, header[column]))
      candidates.push_back(column);
  if (candidates.size() == 1) return candidates.front();
  if (header.empty() || !contains(options.expected_features, header.back())) return columns - 1;
  if (!options.labels_required) return std::nullopt;
  throw ParseFault{nullptr, "there is no label column; the columns are " + list_of(header)};
}

std::optional<std::size_t> find_label(const Fields& header, std::size_t columns, const ReadOptions& options) {
  if (!options.label.empty())
    if (const auto column = position_of(header, options.label)) return column;
  if (has_only_features(columns, options)) return std::nullopt;
  if (options.label.empty()) return usual_label(header, columns, options);
  if (const auto index = as_integer(options.label)) return column_at(*index, columns);
  const std::string missing = "there is no column named " + in_quotes(options.label);
  if (header.empty()) {  // a model's label name says nothing about a file without a header
    if (!options.expected_features.empty()) return columns - 1;
    throw ParseFault{nullptr, missing + ": the file has no header", Fault::usage};
  }
  if (!options.labels_required && !options.expected_features.empty()) return std::nullopt;
  throw ParseFault{nullptr, missing + "; the columns are " + list_of(header), Fault::usage};
}

// Columns by their names: fills layout.target, of which the label is already set.
void match_names(CsvLayout& layout, const Fields& expected) {
  Fields missing, extra;
  for (std::size_t feature = 0; feature < expected.size(); ++feature) {
    std::size_t column = 0;
    while (column < layout.columns() &&
           (layout.header[column] != expected[feature] || layout.target[column] != CsvLayout::ignored_column))
      ++column;
    if (column == layout.columns())
      missing.push_back(expected[feature]);
    else
      layout.target[column] = static_cast<int>(feature);
  }
  if (!missing.empty())
    throw ParseFault{nullptr, "the header lacks " + list_of(missing) + ", which the model needs"};
  for (std::size_t column = 0; column < layout.columns(); ++column)
    if (layout.target[column] == CsvLayout::ignored_column) extra.push_back(layout.header[column]);
  if (!extra.empty() && !layout.has_label)
    throw ParseFault{nullptr, "there is no label column, and the model does not know " + list_of(extra)};
  layout.feature_names = expected;
  layout.features = expected.size();
}

// Columns in their order in the file.
void match_order(CsvLayout& layout, std::size_t expected_count) {
  for (std::size_t column = 0; column < layout.columns(); ++column) {
    if (layout.target[column] == CsvLayout::label_column) continue;
    layout.target[column] = static_cast<int>(layout.features++);
    if (!layout.header.empty()) layout.feature_names.push_back(layout.header[column]);
  }
  if (layout.features == 0) throw ParseFault{nullptr, "the table has a label column but no features"};
  if (expected_count != 0 && layout.features != expected_count)
    throw ParseFault{nullptr, "the table has " + std::to_string(layout.features) + " feature columns" +
                                  (layout.has_label ? " and a label column; " : "; ") +
                                  std::to_string(expected_count) + " features are expected"};
}

}  // namespace

std::string CsvLayout::name_of_column(std::size_t column) const {
  const std::string number = "column " + std::to_string(column + 1);
  return header.empty() ? number : number + " (" + in_quotes(header[column]) + ")";
}

CsvLayout csv_layout(std::string_view text, const ReadOptions& options) {
  CsvLayout layout;
  layout.delimiter = find_delimiter(text.substr(text.find_first_not_of(" \t\r\n")));
  std::string_view record, rest = text;
  do {
    layout.body = rest;
    record = take_record(rest, layout.delimiter, true);
  } while (!is_row(record, layout.delimiter));

  Fields first;
  for (const std::string_view raw : raw_fields(record, layout.delimiter)) first.push_back(text_of_field(raw));
  if (is_header(first, options)) {
    layout.header = first;
    layout.body = rest;
  }
  layout.quoted = layout.body.find('"') != std::string_view::npos;
  layout.target.assign(first.size(), CsvLayout::ignored_column);
  if (const auto label = find_label(layout.header, first.size(), options)) {
    layout.has_label = true;
    layout.target[*label] = CsvLayout::label_column;
    if (!layout.header.empty()) layout.label_name = layout.header[*label];
  }
  if (!layout.header.empty() && !options.expected_features.empty())
    match_names(layout, options.expected_features);
  else
    match_order(layout, options.expected_count());
  return layout;
}

}  // namespace induce
