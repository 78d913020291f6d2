// See table_shape.hpp. The order of the checks is that of the messages: rows that cannot be split into cells, columns,
// labels.
#include "read/table_shape.hpp"

#include <algorithm>

#include "read/column_names.hpp"
#include "read/levels.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

bool is_feature(const FoundColumn& found) { return found.use == FoundColumn::Use::feature; }

std::string kind_of(const FoundColumn& found) {
  if (found.use == FoundColumn::Use::id) return "id";
  if (found.use == FoundColumn::Use::empty) return "empty";
  return std::string(name_of(found.column.kind));
}

class ShapeFinder {
 public:
  ShapeFinder(ReadPlan& plan, const SeenTable& seen) : plan_(plan), layout_(plan.layout), seen_(seen) {}

  std::optional<TableShape> find() {
    if (!seen_.stopped && seen_.fault) throw *seen_.fault;
    if (!plan_.piece || plan_.words) check_rows(plan_, seen_.rows);
    if (plan_.format == Format::csv) {
      if (!seen_.stopped) find_columns();
      if (read_as_texts()) return std::nullopt;
      describe_columns();
      keep_features();
      shape_.data.names.label = layout_.label_name;
      shape_.data.names.weight = layout_.weight_name.empty() ? layout_.trials_name : layout_.weight_name;
      shape_.weighted = plan_.has_weight();
    } else {
      check_libsvm();
    }
    set_labels();
    return std::move(shape_);
  }

 private:
  // Reports the error of the first line that has one: first of columns that were not read again, because it would have
  // been found without that.
  void find_columns() {
    shape_.found.resize(layout_.features);
    for (const bool settled : {false, true}) {
      std::optional<ParseFault> first;
      for (std::size_t f = 0; f < layout_.features; ++f) {
        if (plan_.is_settled(f) != settled) continue;
        try {
          shape_.found[f] = find_column(seen_.features[f], plan_.setting(f, seen_.rows), settled);
        } catch (const ParseFault& fault) {
          if (!first || (first->place && (!fault.place || *fault.place < *first->place))) first = fault;
        }
      }
      if (first) throw *first;
    }
  }

  bool read_as_texts() {
    bool again = false;
    for (std::size_t f = 0; f < layout_.features; ++f) {
      if (plan_.is_settled(f)) continue;
      if (seen_.stopped ? !needs_texts(plan_.rules[f], seen_.features[f]) : !shape_.found[f].read_again)
        continue;
      plan_.layout.rule[f] = CellRule::category;
      again = true;
    }
    return again;
  }

  void describe_columns() {
    Dataset& data = shape_.data;
    std::vector<std::size_t> feature_number;  // without those that are left out
    for (std::size_t f = 0, next = 0; f < layout_.features; ++f)
      feature_number.push_back(is_feature(shape_.found[f]) ? next++ : next);
    for (std::size_t column = 0; column < layout_.columns(); ++column) {
      const std::string name = layout_.header.empty() ? "" : layout_.header[column];
      const int use = layout_.target[column];
      if (column == layout_.id) data.id_name = layout_.header.empty() ? "id" : name;
      if (use == CsvLayout::dropped_column) {
        data.columns.push_back(
            {.name = name, .kind = "dropped", .number = column, .shown = layout_.name_of_column(column)});
        data.left_out.push_back(column);
      } else if (use == CsvLayout::id_column) {
        data.left_out.push_back(column);
      } else if (use >= 0) {
        const auto f = static_cast<std::size_t>(use);
        const FoundColumn& found = shape_.found[f];
        data.columns.push_back({.name = name,
                                .kind = kind_of(found),
                                .missing = is_feature(found) ? 0 : found.missing,
                                .levels = found.column.levels.size(),
                                .number = column,
                                .shown = layout_.name_of_column(column),
                                .declared = plan_.rules[f] != CellRule::found,
                                .padded = found.padded});
        if (is_feature(found))
          data.columns.back().feature = feature_number[f];
        else
          data.left_out.push_back(column);
        if (!found.warning.empty()) data.warnings.push_back(found.warning);
      }
    }
    if (!layout_.unknown.empty()) data.warnings.push_back(warning_of_unused(layout_));
  }

  void keep_features() {
    Names& names = shape_.data.names;
    bool only_numbers = true;
    for (std::size_t f = 0; f < layout_.features; ++f) {
      if (!is_feature(shape_.found[f])) continue;
      shape_.kept.push_back(f);
      only_numbers = only_numbers && shape_.found[f].column.kind == ColumnKind::number;
      if (!layout_.feature_names.empty()) names.features.push_back(layout_.feature_names[f]);
    }
    shape_.features = shape_.kept.size();
    if (shape_.features == 0 && !plan_.piece)
      refuse("no features are left: every column but the label is an id or empty");
    if (only_numbers) return;
    for (const std::size_t f : shape_.kept) names.columns.push_back(std::move(shape_.found[f].column));
  }

  void check_libsvm() {
    if (!plan_.piece) check_features(plan_, seen_);
    check_all_or_no_labels(seen_);
    shape_.features = std::max(seen_.largest_index, plan_.options.expected_count());
    shape_.pairs = seen_.pairs;
    shape_.sparse = !plan_.piece && stays_sparse(seen_.rows, shape_.features, seen_.pairs);
  }

  void set_labels() {
    Dataset& data = shape_.data;
    shape_.labelled = plan_.has_label() && (plan_.format == Format::csv || seen_.labelled);
    shape_.rows = seen_.rows;
    if (plan_.options.classes) data.names.classes = *plan_.options.classes;
    if (!shape_.labelled) return;
    if (plan_.options.counts()) return set_counts();
    Classes classes =
        find_classes(seen_.labels, seen_.more_labels, plan_.options.classes, plan_.options.order);
    data.names.classes = std::move(classes.names);
    if (!classes.warning.empty()) data.warnings.push_back(std::move(classes.warning));
    shape_.class_rows.assign(data.names.classes.size(), 0);
    for (std::size_t k = 0; k < seen_.labels.size(); ++k)
      if (classes.level[k] >= 0)
        shape_.class_rows[static_cast<std::size_t>(classes.level[k])] += seen_.labels.entries()[k].count;
    shape_.class_of = std::move(classes.level);
    leave_out(classes.missing);
  }

  // Labels that are counts or shares, which were checked row by row.
  void set_counts() {
    Dataset& data = shape_.data;
    if (seen_.more_labels)
      refuse("the label has more than " + std::to_string(seen_.labels.size()) +
             " different numbers: with more, successes or shares are not supported");
    const std::vector<std::string> failure_and_success{"0", "1"};
    if (data.names.classes.empty()) data.names.classes = failure_and_success;
    if (data.names.classes != failure_and_success)
      refuse("options trials, shares are for the classes '0' and '1'; the model has " +
             in_quotes(data.names.classes.front()) + ", ...");
    shape_.with_trials = plan_.has_trials();
    std::size_t missing = 0;
    for (const Dictionary::Entry& entry : seen_.labels.entries()) {
      double successes = 0;
      const bool known = is_number(trimmed(entry.text), successes);
      shape_.class_of.push_back(known ? 0 : -1);
      shape_.successes.push_back(successes);
      missing += known ? 0 : entry.count;
    }
    shape_.class_rows = {shape_.rows - missing, 0};
    leave_out(missing);
  }

  void leave_out(std::size_t rows) {
    Dataset& data = shape_.data;
    shape_.rows -= rows;
    data.rows_without_label = rows;
    if (rows == 0 || plan_.piece) return;
    if (shape_.rows == 0) refuse("no row has a label");
    data.warnings.push_back(warning_of_unlabelled(rows));
  }

  ReadPlan& plan_;
  const CsvLayout& layout_;
  const SeenTable& seen_;
  TableShape shape_;
};

}  // namespace

void check_rows(const ReadPlan& plan, std::size_t rows) {
  if (rows == 0)
    refuse(plan.words ? "Found array with 0 sample(s) while a minimum of 1 is required"  // as in scikit-learn
           : plan.format == Format::csv ? "the file has a header but no rows"
                                        : "the file has comments but no rows");
}

std::string warning_of_unlabelled(std::size_t rows) {
  return std::to_string(rows) + (rows == 1 ? " row has no label and is" : " rows have no label and are") +
         " left out";
}

std::string warning_of_unused(const CsvLayout& layout) {
  return "columns that the model does not use are ignored: " + list_of(layout.unknown);
}

std::optional<TableShape> find_shape(ReadPlan& plan, const SeenTable& seen) {
  try {
    return ShapeFinder(plan, seen).find();
  } catch (const ParseFault& fault) {
    plan.report(fault);
  }
}

}  // namespace induce::detail
