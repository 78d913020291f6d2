// See csv_layout.hpp.
#include "io/csv_layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "io/csv_fields.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"

namespace induce {
namespace {

using Fields = std::vector<std::string>;

std::string list_of(const Fields& names) {
  constexpr std::size_t shown = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
    list += (i ? ", " : "") + in_quotes(names[i]);
  if (names.size() > shown) list += ", ... (" + std::to_string(names.size()) + " in total)";
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

// The column at an index, negative from the end. `what`: "label" or "weight".
std::size_t column_at(long index, std::size_t columns, const std::string& what) {
  const long count = static_cast<long>(columns);
  if (index < -count || index >= count)
    throw ParseFault{nullptr,
                     "the " + what + " column " + std::to_string(index) + " does not exist: the table has " +
                         std::to_string(columns) + " columns, so the index must be from " +
                         std::to_string(-count) + " to " + std::to_string(count - 1),
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

using Column = std::optional<std::size_t>;

[[noreturn]] void refuse_name(const std::string& name, const Fields& header) {
  throw ParseFault{nullptr,
                   "there is no column named " + in_quotes(name) +
                       (header.empty() ? ": the file has no header" : "; the columns are " + list_of(header)),
                   Fault::usage};
}

Column find_weight(const Fields& header, std::size_t columns, const ReadOptions& options) {
  if (options.weight.empty()) return std::nullopt;
  if (const auto column = position_of(header, options.weight)) return column;
  const auto index = as_integer(options.weight);
  if (!options.weights_required) {  // a model's weight column
    const bool by_name = !header.empty() && !options.expected_features.empty();
    if (by_name || !index || columns != options.expected_count() + 2) return std::nullopt;
  }
  if (!index) refuse_name(options.weight, header);
  return column_at(*index, columns, "weight");
}

// The last column that is not the weight column.
std::size_t last_column(std::size_t columns, Column weight) {
  return columns > 1 && weight == columns - 1 ? columns - 2 : columns - 1;
}

// Detects a table without labels by its number of columns.
bool has_only_features(std::size_t columns, Column weight, const ReadOptions& options) {
  return !options.labels_required && columns - (weight ? 1 : 0) == options.expected_count();
}

// Default data frame names 0, 1, 2, ... for the features, and a usual name for the label.
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
  const bool named_weight = !options.weight.empty() && !as_integer(options.weight);
  if (named_weight && options.weights_required && contains(first, options.weight)) return true;
  if (!options.expected_features.empty() &&
      std::all_of(options.expected_features.begin(), options.expected_features.end(),
                  [&](const std::string& name) { return contains(first, name); }))
    return true;
  const Column weight = named_weight ? std::nullopt : find_weight({}, first.size(), options);
  Column column;
  if (!has_only_features(first.size(), weight, options))
    column = index ? column_at(*index, first.size(), "label") : last_column(first.size(), weight);
  const std::string label = column ? first[*column] : "";
  Fields features;
  for (std::size_t k = 0; k < first.size(); ++k)
    if (k != column && k != weight) features.push_back(first[k]);
  if (std::any_of(features.begin(), features.end(), [](const auto& field) { return is_number(field); }))
    return is_numbered_header(features, label);
  return std::any_of(features.begin(), features.end(),
                     [](const auto& field) { return !is_missing_value(field); });
}

// The label column if none was specified.
Column usual_label(const Fields& header, std::size_t columns, Column weight, const ReadOptions& options) {
  std::vector<std::size_t> candidates;
  for (std::size_t column = 0; column < header.size(); ++column)
    if (column != weight && is_usual_label_name(header[column]) &&
        !contains(options.expected_features, header[column]))
      candidates.push_back(column);
  if (candidates.size() == 1) return candidates.front();
  const std::size_t last = last_column(columns, weight);
  if (header.empty() || !contains(options.expected_features, header[last])) return last;
  if (!options.labels_required) return std::nullopt;
  throw ParseFault{nullptr, "there is no label column; the columns are " + list_of(header)};
}

Column find_label(const Fields& header, std::size_t columns, Column weight, const ReadOptions& options) {
  for (const std::string& name : {options.known_label, options.label})
    if (const auto column = position_of(header, name); column && !name.empty()) return column;
  if (has_only_features(columns, weight, options)) return std::nullopt;
  if (options.label.empty()) return usual_label(header, columns, weight, options);
  if (const auto index = as_integer(options.label)) return column_at(*index, columns, "label");
  if (options.expected_features.empty()) refuse_name(options.label, header);
  // A model's label name is irrelevant if the file has no header.
  if (header.empty()) return last_column(columns, weight);
  if (!options.labels_required) return std::nullopt;
  refuse_name(options.label, header);
}

// Matches columns by name. Fills layout.target, in which label and weight are already set.
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

// Matches columns in file order.
void match_order(CsvLayout& layout, std::size_t expected_count) {
  for (std::size_t column = 0; column < layout.columns(); ++column) {
    if (layout.target[column] != CsvLayout::ignored_column) continue;
    layout.target[column] = static_cast<int>(layout.features++);
    if (!layout.header.empty()) layout.feature_names.push_back(layout.header[column]);
  }
  if (layout.features == 0) throw ParseFault{nullptr, "the table has a label column but no features"};
  if (expected_count != 0 && layout.features != expected_count)
    throw ParseFault{nullptr, "the table has " + std::to_string(layout.features) + " feature columns" +
                                  (layout.has_label ? " and a label column; expected " : "; expected ") +
                                  std::to_string(expected_count) + " features"};
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
  const Column weight = find_weight(layout.header, first.size(), options);
  if (weight) {
    layout.has_weight = true;
    layout.target[*weight] = CsvLayout::weight_column;
    layout.weight_name = layout.header.empty() ? std::to_string(*weight) : layout.header[*weight];
  }
  if (const auto label = find_label(layout.header, first.size(), weight, options)) {
    if (label == weight)
      throw ParseFault{
          nullptr,
          layout.name_of_column(*label) + " is both the label column and the weight column; they must differ",
          Fault::usage};
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
