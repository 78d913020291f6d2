// A batch of Arrow columns as a chunk of rows (chunk.hpp), as if their text had been parsed, without the text.
#include <cmath>

#include "read/arrow.hpp"
#include "read/chunk.hpp"

namespace induce {

void parse_batch(const ReadPlan& plan, Chunk& chunk) {
  const CsvLayout& layout = plan.layout;
  const ArrowBatch& batch = *chunk.batch;
  const std::size_t width = plan.width();
  std::string room;
  // Valid as long as the chunk.
  const auto text = [&](std::size_t column, std::size_t row) {
    room.clear();
    const std::string_view found = batch.text(column, row, room);
    return trimmed(room.empty() ? found : chunk.copies.emplace_back(room));
  };
  const auto for_each_cell = [&](std::size_t place, const auto& parse) {
    for (std::size_t row = 0; row < batch.rows(); ++row) chunk.rows[row * width + place] = parse(row);
  };
  for (std::size_t column = 0; column < layout.columns(); ++column) {
    const int use = layout.target[column];
    if (use >= 0) {
      const auto f = static_cast<std::size_t>(use);
      SeenColumn& seen = chunk.seen.features[f];
      const Storage storage = batch.columns()[column].type.storage;
      const bool as_number =
          (storage == Storage::number || storage == Storage::date) && layout.rule[f] != CellRule::category;
      for_each_cell(f, [&](std::size_t row) {
        if (const double number = as_number ? batch.number(column, row) : missing_cell;
            std::isfinite(number)) {
          ++(storage == Storage::date ? seen.dates : seen.numbers);
          return number;
        }
        return parse_cell(text(column, row), row, layout.rule[f], seen);
      });
    } else if (use == CsvLayout::label_column && plan.has_label()) {
      for_each_cell(layout.features, [&](std::size_t row) {
        return cell_of_text(chunk.seen.labels.add(text(column, row), row));
      });
    } else if (use == CsvLayout::weight_column && plan.has_weight()) {
      for_each_cell(width - 1, [&](std::size_t row) {
        double weight = 0;
        const std::string_view token = text(column, row);
        if (!is_number(token, weight) || weight < 0)
          throw ParseFault{chunk.text.data() + row, why_no_weight(layout, column, token)};
        return weight;
      });
    }
    if (plan.keeps_ids() && column == layout.id)
      for (std::size_t row = 0; row < batch.rows(); ++row) chunk.seen.ids.emplace_back(text(column, row));
  }
  chunk.seen.rows = batch.rows();
}

}  // namespace induce
