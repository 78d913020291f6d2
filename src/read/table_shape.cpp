// See table_shape.hpp. The order of the checks is that of the messages: rows that cannot be split into cells, columns, the
// ids, labels.
#include "read/table_shape.hpp"

#include <algorithm>

#include "read/column_names.hpp"
#include "read/labels.hpp"
#include "rows/sparse_rows.hpp"

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
  ShapeFinder(const ReadPlan& plan, const SeenTable& seen) : plan_(plan), layout_(plan.layout), seen_(seen) {}

  TableShape find() {
    if (seen_.stopped) {
      read_as_texts([&](std::size_t f) { return has_stopped(f); });
    } else {
      if (seen_.fault) throw *seen_.fault;
      plan_.format == Format::libsvm ? find_libsvm() : find_csv();
    }
    return std::move(shape_);
  }

 private:
  ReadPlan& again() { return shape_.again.emplace(plan_); }

  template <class Test>
  void read_as_texts(Test test) {
    ReadPlan& next = again();
    for (std::size_t f = 0; f < layout_.features; ++f)
      if (test(f)) next.layout.rule[f] = CellRule::category;
  }

  bool has_stopped(std::size_t f) const {
    const SeenColumn& cells = seen_.features[f];
    return !plan_.is_settled(f) &&
           needs_texts(plan_.rules[f], cells.numbers > 0, cells.dates > 0, cells.has_texts);
  }

  void find_csv() {
    if (seen_.rows == 0 && !plan_.piece) throw ParseFault{nullptr, "the file has a header but no rows"};
    if (find_columns()) return read_as_texts([&](std::size_t f) { return found_[f].read_again; });
    if (plan_.piece) describe_piece();
    describe_columns();
    keep_features();
    shape_.names.label = layout_.label_name;
    shape_.names.weight = layout_.weight_name;
    shape_.weighted = plan_.has_weight();
    if (seen_.id_fault) throw *seen_.id_fault;
    set_labels(plan_.has_label(), true);
    for (FoundColumn& found : found_) shape_.values.push_back(std::move(found.values));
  }

  // Reports the error of the first line that has one: first of columns that were not read again, because it would have
  // been found without that. Returns whether a column must be read again.
  bool find_columns() {
    found_.assign(layout_.features, {});
    for (const bool settled : {false, true}) {
      std::optional<ParseFault> first;
      for (std::size_t f = 0; f < layout_.features; ++f) {
        if (plan_.is_settled(f) != settled) continue;
        try {
          found_[f] = find_column(seen_.features[f], plan_.setting(f, seen_.rows), settled);
        } catch (const ParseFault& fault) {
          if (!first || (first->place && (!fault.place || *fault.place < *first->place))) first = fault;
        }
      }
      if (first) throw *first;
    }
    return std::any_of(found_.begin(), found_.end(), [](const FoundColumn& each) { return each.read_again; });
  }

  void describe_piece() {
    for (const FoundColumn& found : found_) {
      shape_.styles.push_back(found.style_is_certain ? found.style : TextValues::Style::none);
      UnknownLevels& unknown = shape_.unknown.emplace_back();
      for (const PlacedTexts::Entry& entry : found.unknown) {
        if (unknown.hashes.empty() || entry.first < unknown.place) {
          unknown.first = entry.text;
          unknown.place = entry.first;
        }
        unknown.hashes.push_back(entry.hash);
      }
    }
  }

  void describe_columns() {
    std::vector<std::size_t> feature_number;  // without those that are left out
    for (std::size_t f = 0, next = 0; f < found_.size(); ++f)
      feature_number.push_back(is_feature(found_[f]) ? next++ : next);
    std::size_t dropped = 0;
    for (std::size_t column = 0; column < layout_.columns(); ++column) {
      const std::string name = layout_.header.empty() ? "" : layout_.header[column];
      const int use = layout_.target[column];
      if (layout_.has_id && column == layout_.id) shape_.id_name = layout_.header.empty() ? "id" : name;
      if (dropped < layout_.dropped.size() && layout_.dropped[dropped] == column) {
        ++dropped;
        shape_.columns.emplace_back().name = name;
        shape_.columns.back().kind = "dropped";
        shape_.left_out.push_back(column);
      } else if (use == CsvLayout::id_column) {
        shape_.left_out.push_back(column);
      } else if (use >= 0) {
        const FoundColumn& found = found_[static_cast<std::size_t>(use)];
        ColumnSummary& summary = shape_.columns.emplace_back();
        summary = {name, kind_of(found), found.missing, found.column.levels.size()};
        summary.number = column;
        summary.shown = layout_.name_of_column(column);
        summary.declared = plan_.rules[static_cast<std::size_t>(use)] != CellRule::found;
        summary.padded = found.padded;
        if (is_feature(found)) {
          summary.feature = feature_number[static_cast<std::size_t>(use)];
          summary.missing = 0;
        } else {
          shape_.left_out.push_back(column);
        }
        if (!found.warning.empty()) shape_.warnings.push_back(found.warning);
      }
    }
    if (!layout_.unknown.empty()) shape_.warnings.push_back(warning_of_unused(layout_));
  }

  void keep_features() {
    bool only_numbers = true;
    shape_.raw_features = layout_.features;
    for (std::size_t f = 0; f < found_.size(); ++f) {
      if (!is_feature(found_[f])) continue;
      shape_.kept.push_back(f);
      only_numbers = only_numbers && found_[f].column.kind == ColumnKind::number;
      if (!layout_.feature_names.empty()) shape_.names.features.push_back(layout_.feature_names[f]);
    }
    if (shape_.kept.empty() && !plan_.piece)
      throw ParseFault{nullptr, "no features are left: every column but the label is an id or empty"};
    if (only_numbers) return;
    for (const std::size_t f : shape_.kept) shape_.names.columns.push_back(std::move(found_[f].column));
  }

  void set_labels(bool labelled, bool csv) {
    shape_.labelled = labelled;
    shape_.rows = seen_.rows;
    if (plan_.options.classes) shape_.names.classes = *plan_.options.classes;
    if (!labelled) return;
    Labels labels = resolve_labels(seen_.labels.texts(), csv, seen_.more_labels, plan_.options.classes);
    shape_.names.classes = std::move(labels.classes);
    if (!labels.warning.empty()) shape_.warnings.push_back(std::move(labels.warning));
    shape_.class_rows.assign(shape_.names.classes.size(), 0);
    for (std::size_t k = 0; k < seen_.labels.size(); ++k)
      if (const int of_class = labels.class_of[k]; of_class >= 0)
        shape_.class_rows[static_cast<std::size_t>(of_class)] += seen_.labels.entries()[k].count;
    shape_.class_of = std::move(labels.class_of);
    shape_.rows -= labels.missing;
    shape_.rows_without_label = labels.missing;
    if (labels.missing == 0 || plan_.piece) return;
    if (shape_.rows == 0) throw ParseFault{nullptr, "no row has a label"};
    shape_.warnings.push_back(warning_of_unlabelled(labels.missing));
  }

  void find_libsvm() {
    const std::size_t largest = seen_.largest_index;
    const std::optional<Place>&labelled = seen_.labelled, &unlabelled = seen_.unlabelled;
    if (seen_.rows == 0 && !plan_.piece) throw ParseFault{nullptr, "the file has comments but no rows"};
    const std::size_t expected = plan_.options.expected_count(), d = expected != 0 ? expected : largest;
    shape_.sparse = !plan_.piece && stays_sparse(seen_.rows, d, seen_.pairs);
    if (shape_.sparse) return;
    if (plan_.features == 0) {
      again().features =
          std::max<std::size_t>(d, 1);  // also without any index: another pass finds what is wrong
      return;
    }
    if (d == 0) throw ParseFault{nullptr, "no line has a pair index:value, so there are no features"};
    if (!plan_.piece && plan_.options.dense_shows_all && largest < d && seen_.complete &&
        seen_.least_last_index == largest)
      throw ParseFault{nullptr, "the data has " + std::to_string(largest) +
                                    " features in every row, expected " + std::to_string(d)};
    if (labelled && unlabelled) {
      const bool first = *labelled < *unlabelled;
      throw ParseFault{nullptr,
                       first ? "the line has no label, but the first has one"
                             : "the line has a label, but the first has none",
                       Fault::data, first ? *unlabelled : *labelled};
    }
    shape_.raw_features = d;
    for (std::size_t f = 0; f < d; ++f) shape_.kept.push_back(f);
    shape_.has_labels = labelled.has_value();
    set_labels(labelled && !plan_.options.ignore_labels, false);
  }

  const ReadPlan& plan_;
  const CsvLayout& layout_;
  const SeenTable& seen_;
  std::vector<FoundColumn> found_;
  TableShape shape_;
};

}  // namespace

Dataset without_rows(TableShape& shape) {
  Dataset data;
  data.names = std::move(shape.names);
  data.columns = std::move(shape.columns);
  data.left_out = std::move(shape.left_out);
  data.id_name = std::move(shape.id_name);
  data.warnings = std::move(shape.warnings);
  data.rows_without_label = shape.rows_without_label;
  return data;
}

std::string warning_of_unlabelled(std::size_t rows) {
  return std::to_string(rows) + (rows == 1 ? " row has no label and is" : " rows have no label and are") +
         " left out";
}

std::string warning_of_unused(const CsvLayout& layout) {
  return "columns that the model does not use are ignored: " + list_of(layout.unknown);
}

TableShape find_shape(const ReadPlan& plan, const SeenTable& seen) {
  try {
    return ShapeFinder(plan, seen).find();
  } catch (const ParseFault& fault) {
    plan.report(fault);
  }
}

}  // namespace induce::detail
