// See csv.hpp. Parallel passes over chunks of the text: count the rows, so that the table can be allocated once and
// every chunk knows its offset in it; parse; then replace texts by numbers, when the texts of all chunks are known.
// Columns with texts beside numbers are parsed once more, as texts. Chunks are merged in file order, so the result does
// not depend on their number. If the body contains quotes, a newline may be part of a field, so there is only one chunk.
#include "io/csv.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "io/column_names.hpp"
#include "io/csv_cells.hpp"
#include "io/csv_columns.hpp"
#include "io/csv_fields.hpp"
#include "io/csv_layout.hpp"
#include "io/label_column.hpp"
#include "io/lines.hpp"
#include "rows/workers.hpp"

namespace induce {
namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, const ReadOptions& options, std::optional<std::size_t> label)
      : text_(text), options_(options), layout_(csv_layout(text, options, label)), rules_(layout_.rule) {
    chunks_ = layout_.quoted ? std::vector{layout_.body} : split_at_newlines(layout_.body, options.threads);
    count_rows();
  }

  const CsvLayout& layout() const { return layout_; }

  // Parses the cells and finds what the columns are.
  void read() {
    const std::size_t n = first_row_.back();
    table_.X = allocate_table(n, layout_.features);
    if (layout_.has_label) table_.labels.resize(n);
    if (layout_.has_id) table_.ids.resize(n);
    if (layout_.has_weight && !options_.ignore_weights) table_.weights.resize(n);
    parse_cells();
    find_columns();
    bool again = false;
    for (std::size_t f = 0; f < found_.size(); ++f) {
      if (!found_[f].read_again) continue;
      layout_.rule[f] = CellRule::category;
      again = true;
    }
    if (!again) return;
    parse_cells();
    find_columns();
  }

  LabelChoice label_by_values() const { return choose_label(layout_, table_.labels, found_, table_.X); }

  ParsedTable take_table() {
    replace_texts();
    describe_columns();
    leave_out_columns();
    table_.label_name = layout_.label_name;
    table_.weight_name = layout_.weight_name;
    return std::move(table_);
  }

 private:
  template <class Visit>
  void for_each_row(std::string_view chunk, Visit visit) const {
    while (!chunk.empty()) {
      const std::string_view record = take_record(chunk, layout_.delimiter, layout_.quoted);
      if (is_row(record, layout_.delimiter)) visit(record);
    }
  }

  void count_rows() {
    first_row_.assign(chunks_.size() + 1, 0);
    for_each_part(chunks_.size(), options_.threads, [&](std::size_t part) {
      std::size_t rows = 0;
      for_each_row(chunks_[part], [&](std::string_view) { ++rows; });
      first_row_[part + 1] = rows;
    });
    std::partial_sum(first_row_.begin(), first_row_.end(), first_row_.begin());
    if (first_row_.back() == 0) throw ParseFault{nullptr, "the file has a header but no rows"};
  }

  void parse_cells() {
    cells_.assign(chunks_.size(), {});
    for_each_part(chunks_.size(), options_.threads, [&](std::size_t part) {
      cells_[part].features.resize(layout_.features);
      std::size_t i = first_row_[part];
      for_each_row(chunks_[part], [&](std::string_view record) {
        parse_row(
            record, layout_,
            {table_.X.row(static_cast<Index>(i)).data(), table_.labels.empty() ? nullptr : &table_.labels[i],
             table_.ids.empty() ? nullptr : &table_.ids[i],
             table_.weights.empty() ? nullptr : &table_.weights[i]},
            cells_[part]);
        ++i;
      });
    });
    merged_ = merge(cells_);
  }

  // Reports the error of the first line that has one.
  void find_columns() {
    std::string_view first_row;
    for (std::string_view rest = layout_.body; !is_row(first_row, layout_.delimiter);)
      first_row = take_record(rest, layout_.delimiter, layout_.quoted);
    const TableFacts facts{text_, layout_, options_, first_row_.back(), first_row};
    std::optional<ParseFault> first;
    found_.assign(layout_.features, {});
    for (std::size_t f = 0; f < layout_.features; ++f) {
      try {
        found_[f] = find_column(merged_.features[f], f, rules_[f], layout_.rule[f] != rules_[f], facts);
      } catch (const ParseFault& fault) {
        if (!first || fault.at < first->at) first = fault;
      }
    }
    if (first) throw *first;
  }

  void replace_texts() {
    std::vector<std::size_t> features;  // those with texts
    for (std::size_t f = 0; f < layout_.features; ++f)
      if (!merged_.features[f].texts.empty()) features.push_back(f);
    if (features.empty()) return;
    for_each_part(chunks_.size(), options_.threads, [&](std::size_t part) {
      for (std::size_t i = first_row_[part]; i < first_row_[part + 1]; ++i) {
        double* row = table_.X.row(static_cast<Index>(i)).data();
        for (const std::size_t f : features) {
          std::uint32_t number = 0;
          if (std::isnan(row[f]) && text_of_cell(row[f], number))
            row[f] = found_[f].values[merged_.number[part][f][number]];
        }
      }
    });
  }

  void describe_columns() {
    std::vector<std::size_t> feature_number;  // without those that are left out
    for (std::size_t f = 0, next = 0; f < found_.size(); ++f)
      feature_number.push_back(is_feature(found_[f]) ? next++ : next);
    std::size_t dropped = 0;
    for (std::size_t column = 0; column < layout_.columns(); ++column) {
      const std::string name = layout_.header.empty() ? "" : layout_.header[column];
      const int use = layout_.target[column];
      if (layout_.has_id && column == layout_.id) table_.id_name = layout_.header.empty() ? "id" : name;
      if (dropped < layout_.dropped.size() && layout_.dropped[dropped] == column) {
        ++dropped;
        table_.summaries.emplace_back().name = name;
        table_.summaries.back().kind = "dropped";
        table_.left_out.push_back(column);
      } else if (use == CsvLayout::id_column) {
        table_.left_out.push_back(column);
      } else if (use >= 0) {
        const FoundColumn& found = found_[static_cast<std::size_t>(use)];
        ColumnSummary& summary = table_.summaries.emplace_back();
        summary = {name, kind_of(found), found.missing, found.column.levels.size(), std::nullopt};
        if (is_feature(found))
          summary.feature = feature_number[static_cast<std::size_t>(use)];
        else
          table_.left_out.push_back(column);
        if (!found.warning.empty()) table_.warnings.push_back(found.warning);
      }
    }
    if (!layout_.unknown.empty())
      table_.warnings.push_back("columns that the model does not use are ignored: " +
                                list_of(layout_.unknown));
  }

  static bool is_feature(const FoundColumn& found) { return found.use == FoundColumn::Use::feature; }
  static std::string kind_of(const FoundColumn& found) {
    if (found.use == FoundColumn::Use::id) return "id";
    if (found.use == FoundColumn::Use::empty) return "empty";
    return std::string(name_of(found.column.kind));
  }

  void leave_out_columns() {
    std::vector<Index> kept;
    bool only_numbers = true;
    for (std::size_t f = 0; f < found_.size(); ++f) {
      if (!is_feature(found_[f])) continue;
      kept.push_back(static_cast<Index>(f));
      only_numbers = only_numbers && found_[f].column.kind == ColumnKind::number;
      if (!layout_.feature_names.empty()) table_.feature_names.push_back(layout_.feature_names[f]);
    }
    if (kept.empty())
      throw ParseFault{nullptr, "no features are left: every column but the label is an id or empty"};
    if (!only_numbers)
      for (const Index f : kept)
        table_.columns.push_back(std::move(found_[static_cast<std::size_t>(f)].column));
    if (kept.size() == found_.size()) return;
    RowMatrix X = allocate_table(first_row_.back(), kept.size());
    for_each_part(chunks_.size(), options_.threads, [&](std::size_t part) {
      for (auto i = static_cast<Index>(first_row_[part]); i < static_cast<Index>(first_row_[part + 1]); ++i)
        for (std::size_t k = 0; k < kept.size(); ++k) X(i, static_cast<Index>(k)) = table_.X(i, kept[k]);
    });
    table_.X = std::move(X);
  }

  std::string_view text_;
  const ReadOptions& options_;
  CsvLayout layout_;
  std::vector<CellRule> rules_;  // those of the layout, before columns were read again
  std::vector<std::string_view> chunks_;
  std::vector<std::size_t> first_row_;  // of each chunk, and the number of rows
  std::vector<ChunkCells> cells_;
  MergedCells merged_;
  std::vector<FoundColumn> found_;
  ParsedTable table_;
};

}  // namespace

ParsedTable parse_csv(std::string_view text, const ReadOptions& options) {
  std::optional<CsvReader> reader(std::in_place, text, options, std::nullopt);
  reader->read();
  if (!reader->layout().label_is_guessed) return reader->take_table();
  const LabelChoice choice = reader->label_by_values();
  if (!choice.note.empty()) {
    reader.emplace(text, options, choice.column);
    reader->read();
  }
  ParsedTable table = reader->take_table();
  if (!choice.note.empty()) table.warnings.insert(table.warnings.begin(), choice.note);
  return table;
}

}  // namespace induce
