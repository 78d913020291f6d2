// A batch of Arrow columns as a chunk of rows, as if their text had been parsed (csv_chunk.cpp), without the text.
#include <cmath>

#include "read/arrow.hpp"
#include "read/csv_chunk.hpp"
#include "read/number.hpp"
#include "text/format.hpp"

namespace induce::detail {
namespace {

class BatchParser {
 public:
  BatchParser(const ReadPlan& plan, CsvChunk& chunk)
      : plan_(plan), layout_(plan.layout), chunk_(chunk), batch_(*chunk.batch), width_(plan.width()) {}

  void parse_feature(std::size_t column, std::size_t feature) {
    const ArrowType& type = batch_.columns()[column].type;
    const CellRule rule = layout_.rule[feature];
    const bool as_number = type.storage == Storage::boolean
                               ? rule == CellRule::number || rule == CellRule::date
                               : (type.storage == Storage::number || type.storage == Storage::date) &&
                                     rule != CellRule::category;
    CellCounts& counts = chunk_.cells.features[feature];
    double* cell = chunk_.rows.data() + feature;
    for (std::size_t row = 0; row < batch_.rows(); ++row, cell += width_) {
      if (as_number) {
        *cell = batch_.number(column, row);
        if (std::isfinite(*cell)) {
          ++(type.storage == Storage::date ? counts.dates : counts.numbers);
          continue;
        }
        if (std::isinf(*cell)) refuse_infinite(feature, row, *cell);
      }
      *cell = parse_token(trimmed(text(column, row)), place(row), rule, counts);
    }
  }

  void parse_labels(std::size_t column) {
    double* cell = chunk_.rows.data() + layout_.features;
    for (std::size_t row = 0; row < batch_.rows(); ++row, cell += width_) {
      std::string_view label = trimmed(text(column, row));
      if (label.starts_with('"')) label = chunk_.cells.unquoted.emplace_back(csv_field(label));
      *cell = cell_of_text(chunk_.labels.add(label, place(row)));
    }
  }

  void parse_weights(std::size_t column) {
    double* cell = chunk_.rows.data() + width_ - 1;
    for (std::size_t row = 0; row < batch_.rows(); ++row, cell += width_) {
      const std::string_view token = trimmed(text(column, row));
      const bool is_weight = is_number(token, *cell);
      if (!is_weight || *cell < 0) throw ParseFault{place(row), why_no_weight(layout_, column, token)};
    }
  }

  void parse_ids(std::size_t column) {
    for (std::size_t row = 0; row < batch_.rows(); ++row) chunk_.ids.emplace_back(trimmed(text(column, row)));
  }

 private:
  [[noreturn]] void refuse_infinite(std::size_t feature, std::size_t row, double value) const {
    throw ParseFault{place(row), plan_.setting(feature, 0).words.shown + ": " +
                                     why_not_a_number(value > 0 ? "inf" : "-inf")};
  }
  // Valid as long as the chunk.
  std::string_view text(std::size_t column, std::size_t row) {
    room_.clear();
    const std::string_view found = batch_.text(column, row, room_);
    return room_.empty() ? found : chunk_.cells.unquoted.emplace_back(room_);
  }
  const char* place(std::size_t row) const { return chunk_.text.data() + row; }

  const ReadPlan& plan_;
  const CsvLayout& layout_;
  CsvChunk& chunk_;
  const ArrowBatch& batch_;
  std::size_t width_;
  std::string room_;
};

}  // namespace

void parse_batch(const ReadPlan& plan, bool keep_ids, CsvChunk& chunk) {
  const CsvLayout& layout = plan.layout;
  BatchParser parser(plan, chunk);
  for (std::size_t column = 0; column < layout.columns(); ++column) {
    const int use = layout.target[column];
    if (use >= 0) parser.parse_feature(column, static_cast<std::size_t>(use));
    if (use == CsvLayout::label_column && plan.has_label()) parser.parse_labels(column);
    if (use == CsvLayout::weight_column && plan.has_weight()) parser.parse_weights(column);
    if (keep_ids && column == layout.id) parser.parse_ids(column);
  }
  chunk.count = chunk.batch->rows();
}

}  // namespace induce::detail
