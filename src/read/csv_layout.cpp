// See csv_layout.hpp.
#include "read/csv_layout.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "read/column_names.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

// `whole`: the first line ends in the text, or it is too long to wait for its end.
char find_delimiter(std::string_view text, bool& whole) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  bool inside = false, tab = false, semicolon = false, pipe = false;
  whole = text.size() >= longest;
  for (const char c : text.substr(0, longest)) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\n') {
      whole = true;
      break;
    }
    tab |= c == '\t';
    semicolon |= c == ';';
    pipe |= c == '|';
  }
  return tab ? '\t' : semicolon ? ';' : pipe ? '|' : ',';
}

using Found = std::optional<std::size_t>;  // a column

Fields one(const std::string& column) { return column.empty() ? Fields{} : Fields{column}; }

// Columns that are neither label nor feature, as the options say.
struct Roles {
  // `header`: nullptr if it is not known yet whether there is one.
  Roles(const Fields* header, std::size_t columns, const ReadOptions& options) : taken(columns, false) {
    for (const std::size_t column : columns_of(options.drop, header, columns, "drop")) taken[column] = true;
    if (!options.id.empty())
      for (const std::size_t column : columns_of({options.id}, header, columns, "id")) {
        id = column;
        taken[column] = true;
      }
    for (const std::size_t column : columns_of(one(options.trials), header, columns, "trials")) {
      trials = column;
      taken[column] = true;
    }
    weight = find_weight(header, options);
    refuse_both(trials, id, "trials", "id");
    if (!weight) return;
    refuse_both(weight, id, options.weight_word, "id");
    if (!options.weights_required && weight == trials) {
      weight.reset();  // the model's rows had trials instead
      return;
    }
    refuse_both(weight, trials, options.weight_word, "trials");
    taken[*weight] = true;
  }

  std::size_t left() const { return static_cast<std::size_t>(std::count(taken.begin(), taken.end(), false)); }
  // The last column that is left, or the last one.
  std::size_t last() const {
    std::size_t column = taken.size() - 1;
    while (column > 0 && taken[column]) --column;
    return taken[column] ? taken.size() - 1 : column;
  }

  Found weight, id, trials;
  std::vector<bool> taken;  // by weight, trials, id or drop, per column

 private:
  static void refuse_both(Found a, Found b, const std::string& one, const std::string& other) {
    if (a && a == b)
      refuse("column " + std::to_string(*a + 1) + " is both the " + other + " column and the " + one +
                 " column; they must differ",
             Fault::usage);
  }
  Found find_weight(const Fields* header, const ReadOptions& options) const {
    if (options.weight.empty()) return std::nullopt;
    if (const auto column = header ? position_of(*header, options.weight) : std::nullopt) return column;
    const auto index = as_integer(options.weight);
    if (!options.weights_required) {  // a model's weight column
      const bool by_name = header && !header->empty() && !options.expected_features.empty();
      if (by_name || !index || left() != options.expected_count() + 2) return std::nullopt;
    }
    if (index) return column_at(*index, taken.size(), options.weight_word);
    if (header) refuse_name(options.weight, *header, options.weight_word);
    return std::nullopt;
  }
};

// Detects a table without labels by its number of columns.
bool has_only_features(const Roles& roles, const ReadOptions& options) {
  return !options.labels_required && roles.left() == options.expected_count();
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

// Does an option name one of the fields?
bool has_given_name(const Fields& first, const ReadOptions& options) {
  const auto named = [&](const std::string& column) {
    return !column.empty() && !as_integer(column) && position_of(first, column);
  };
  if (named(options.label) || named(options.id) || named(options.trials) || named(options.group) ||
      named(options.time) || (options.weights_required && named(options.weight)))
    return true;
  for (const Fields* list : {&options.categorical, &options.numeric, &options.drop, &options.only})
    if (std::any_of(list->begin(), list->end(), named)) return true;
  return false;
}

bool is_header(const Fields& first, const ReadOptions& options) {
  if (has_given_name(first, options)) return true;
  if (!options.expected_features.empty() &&
      std::all_of(options.expected_features.begin(), options.expected_features.end(),
                  [&](const std::string& name) { return position_of(first, name).has_value(); }))
    return true;
  const Roles roles(nullptr, first.size(), options);
  Found column;
  if (!has_only_features(roles, options)) {
    const auto index = as_integer(options.label);
    column = index ? column_at(*index, first.size(), "label") : roles.last();
  }
  const std::string label = column ? first[*column] : "";
  Fields features;
  for (std::size_t k = 0; k < first.size(); ++k)
    if (k != column && !roles.taken[k]) features.push_back(first[k]);
  if (std::any_of(features.begin(), features.end(), [](const auto& field) { return is_number(field); }))
    return is_numbered_header(features, label);
  return std::any_of(features.begin(), features.end(),
                     [](const auto& field) { return !is_missing_value(field); });
}

// The label column if none was specified. `rows`: the text after the header.
Found unnamed_label(const CsvLayout& layout, const Roles& roles, const ReadOptions& options,
                    std::string_view rows) {
  if (layout.header.empty()) return roles.last();
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < layout.columns(); ++column)
    if (!roles.taken[column] && !position_of(options.expected_features, layout.header[column]))
      columns.push_back(column);
  const Found label = usual_label(layout.header, columns);
  if (!label && options.labels_required) ask_for_label(layout, columns, rows, options.command);
  return label;
}

Found find_label(const CsvLayout& layout, const Roles& roles, const ReadOptions& options,
                 std::string_view rows) {
  for (const std::string& name : {options.known_label, options.label})
    if (const auto column = position_of(layout.header, name); column && !name.empty()) return column;
  if (has_only_features(roles, options)) return std::nullopt;
  if (options.label.empty()) return unnamed_label(layout, roles, options, rows);
  if (const auto index = as_integer(options.label)) return column_at(*index, layout.columns(), "label");
  if (options.expected_features.empty()) refuse_name(options.label, layout.header);
  // A model's label name is irrelevant if the file has no header.
  if (layout.header.empty()) return roles.last();
  if (!options.labels_required) return std::nullopt;
  refuse_name(options.label, layout.header);
}

// `columns` is ascending.
bool contains_column(const std::vector<std::size_t>& columns, std::size_t column) {
  return std::binary_search(columns.begin(), columns.end(), column);
}

// Matches columns by name. Fills layout.target, in which label and weight are already set.
void match_names(CsvLayout& layout, const ReadOptions& options) {
  const Fields& expected = options.expected_features;
  Fields missing;
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
  for (const std::string& name : missing)
    if (const Found column = position_of(layout.header, name)) {
      const int use = layout.target[*column];
      const std::string role = use == CsvLayout::label_column ? "label" : options.weight_word;
      refuse(layout.name_of_column(*column) + " is a feature of the model and cannot be " +
                 (use == CsvLayout::dropped_column  ? "dropped"
                  : use == CsvLayout::trials_column ? "the trials column"
                                                    : "the " + role + " column"),
             Fault::usage);
    }
  if (!missing.empty())
    refuse("the header lacks " + list_of(missing) + ", which the model needs; it has " +
           list_of(layout.header));
  for (std::size_t column = 0; column < layout.columns(); ++column)
    if (layout.target[column] == CsvLayout::ignored_column) layout.unknown.push_back(layout.header[column]);
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
  if (layout.features == 0) refuse("the table has a label column but no features");
  if (expected_count != 0 && layout.features != expected_count)
    refuse("the table has " + std::to_string(layout.features) + " feature columns" +
           (layout.has_label ? " and a label column; expected " : "; expected ") +
           std::to_string(expected_count) + " features");
}

// The columns that the options leave out.
void drop_columns(CsvLayout& layout, const ReadOptions& options) {
  const std::size_t columns = layout.columns();
  std::vector<std::size_t> dropped = columns_of(options.drop, &layout.header, columns, "drop");
  if (!options.only.empty()) {
    const auto only = columns_of(options.only, &layout.header, columns, "only");
    for (std::size_t column = 0; column < columns; ++column)
      if (layout.target[column] == CsvLayout::ignored_column && !contains_column(only, column) &&
          column != layout.grouping)
        dropped.push_back(column);
  }
  for (const std::size_t column : dropped) {
    if (layout.target[column] == CsvLayout::label_column)
      refuse(layout.name_of_column(column) + " is the label column and cannot be dropped", Fault::usage);
    if (layout.target[column] != CsvLayout::weight_column &&
        layout.target[column] != CsvLayout::trials_column)
      layout.target[column] = CsvLayout::dropped_column;
  }
}

CellRule rule_of(ColumnKind kind) {
  return kind == ColumnKind::number ? CellRule::number
         : kind == ColumnKind::date ? CellRule::date
                                    : CellRule::category;
}

// How the cells of each feature are read.
std::vector<CellRule> find_rules(const CsvLayout& layout, const ReadOptions& options) {
  std::vector<CellRule> rules(layout.features, CellRule::found);
  if (options.expected_columns) {
    const std::vector<Column>& known = *options.expected_columns;
    for (std::size_t f = 0; f < rules.size(); ++f)
      rules[f] = known.empty() ? CellRule::number : rule_of(known[f].kind);
    return rules;
  }
  const auto categorical = columns_of(options.categorical, &layout.header, layout.columns(), "categorical");
  const auto numeric = columns_of(options.numeric, &layout.header, layout.columns(), "numeric");
  for (const std::size_t column : categorical)
    if (contains_column(numeric, column))
      refuse(layout.name_of_column(column) + " is both categorical and numeric", Fault::usage);
  for (std::size_t f = 0; f < rules.size(); ++f) {
    if (contains_column(categorical, layout.column[f])) rules[f] = CellRule::category;
    if (contains_column(numeric, layout.column[f])) rules[f] = CellRule::number;
    if (layout.column[f] == layout.grouping && !options.group.empty()) rules[f] = CellRule::category;
  }
  return rules;
}

}  // namespace

std::string CsvLayout::name_of_column(std::size_t which) const {
  const std::string number = "column " + std::to_string(which + 1);
  return header.empty() ? number + " (index " + std::to_string(which) + ")"
                        : number + " (" + in_quotes(header[which]) + ")";
}

FirstRow find_first_row(std::string_view text, char delimiter, bool ended) {
  FirstRow row;
  std::string_view rest = text;
  for (;;) {
    const std::size_t begin = rest.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) {
      if (ended) refuse("the file has comments but no rows");
      return row;
    }
    if (rest[begin] != '#') {
      row.delimiter = find_delimiter(rest.substr(begin), row.whole);
      if (delimiter) row.delimiter = delimiter;
      break;
    }
    rest.remove_prefix(begin);
    take_line(rest);
  }
  std::string_view record;
  do {
    row.begin = text.size() - rest.size();
    record = take_record(rest, row.delimiter, true);
  } while (!is_row(record, row.delimiter));
  row.end = row.begin + record.size();
  row.next = text.size() - rest.size();
  row.whole = ended || (row.whole && row.next > row.end);
  return row;
}

Fields fields_of(std::string_view text, const FirstRow& row) {
  Fields fields;
  for (const std::string_view raw : raw_fields(text.substr(row.begin, row.end - row.begin), row.delimiter))
    fields.push_back(text_of_field(raw));
  return fields;
}

std::size_t body_of(std::string_view text, const CsvLayout& layout, const std::string& first) {
  const FirstRow row = find_first_row(text, layout.delimiter, true);
  if (layout.header.empty()) return row.begin;
  check_header(fields_of(text, row), layout, first, text.data() + row.begin);
  return row.next;
}

void check_header(const Fields& found, const CsvLayout& layout, const std::string& first, const char* at) {
  const auto refuse_header = [&](const std::string& what) {
    throw ParseFault{at, what + ": all files of a table must have the same header, that of " + first};
  };
  for (std::size_t column = 0; column < std::min(found.size(), layout.columns()); ++column)
    if (found[column] != layout.header[column])
      refuse_header("column " + std::to_string(column + 1) + " is " + in_quotes(found[column]) +
                    ", expected " + in_quotes(layout.header[column]));
  if (found.size() != layout.columns())
    refuse_header("the header has " + std::to_string(found.size()) + " columns, expected " +
                  std::to_string(layout.columns()));
}

CsvLayout csv_layout(std::string_view text, const ReadOptions& options) {
  const FirstRow row = find_first_row(text, options.delimiter, true);
  check_utf8(text.substr(0, row.end));
  const Fields first = fields_of(text, row);
  CsvLayout layout;
  layout.delimiter = row.delimiter;
  layout.body = row.begin;
  layout.first_row_end = row.end;
  if (is_header(first, options)) {
    layout.header = first;
    layout.body = row.next;
  }
  set_columns(layout, first.size(), options, text.substr(layout.body));
  return layout;
}

void set_columns(CsvLayout& layout, std::size_t columns, const ReadOptions& options, std::string_view rows) {
  layout.target.assign(columns, CsvLayout::ignored_column);
  const Roles roles(&layout.header, columns, options);
  refuse_equal_names(layout.header, roles.taken);
  if (roles.weight) {
    layout.has_weight = true;
    layout.target[*roles.weight] = CsvLayout::weight_column;
    layout.weight_name = layout.header.empty() ? std::to_string(*roles.weight) : layout.header[*roles.weight];
  }
  if (roles.trials) {
    layout.has_trials = true;
    layout.target[*roles.trials] = CsvLayout::trials_column;
    layout.trials_name = layout.header.empty() ? std::to_string(*roles.trials) : layout.header[*roles.trials];
  }
  if (roles.id) {
    layout.id = roles.id;
    const bool needed =
        !layout.header.empty() && position_of(options.expected_features, layout.header[*roles.id]);
    if (!needed) layout.target[*roles.id] = CsvLayout::id_column;
  }
  if (const Found label = find_label(layout, roles, options, rows)) {
    if (label == roles.weight || label == roles.id || label == roles.trials)
      refuse(layout.name_of_column(*label) + " is both the label column and the " +
                 (label == roles.weight ? options.weight_word
                  : label == roles.id   ? "id"
                                        : "trials") +
                 " column; they must differ",
             Fault::usage);
    layout.has_label = true;
    layout.target[*label] = CsvLayout::label_column;
    if (!layout.header.empty()) layout.label_name = layout.header[*label];
  }
  for (const auto& [option, given] : {std::pair{"group", options.group}, {"time", options.time}})
    for (const std::size_t column : columns_of(one(given), &layout.header, columns, option))
      layout.grouping = column;
  drop_columns(layout, options);
  if (!layout.header.empty() && !options.expected_features.empty())
    match_names(layout, options);
  else
    match_order(layout, options.expected_count());
  layout.column.resize(layout.features);
  for (std::size_t column = 0; column < columns; ++column)
    if (layout.target[column] >= 0) layout.column[static_cast<std::size_t>(layout.target[column])] = column;
  layout.rule = find_rules(layout, options);
}

}  // namespace induce::detail
