// See csv_chunk.hpp.
#include "read/csv_chunk.hpp"

#include <algorithm>
#include <cmath>

#include "read/csv_fields.hpp"

namespace induce::detail {
namespace {

ParseFault placed_in(ParseFault fault, const CsvChunk& chunk) {
  if (fault.at) fault.place = ChunkPlaces(chunk.text, chunk.start)(fault.at);
  fault.at = nullptr;
  return fault;
}

void add_id(std::string_view raw, CsvChunk& chunk) {
  try {
    chunk.ids.push_back(text_of_field(raw));
  } catch (const ParseFault& fault) {
    if (!chunk.id_fault) chunk.id_fault = placed_in(fault, chunk);
    chunk.ids.emplace_back();
  }
}

}  // namespace

void parse_chunk(const ReadPlan& plan, bool keep_ids, CsvChunk& chunk) {
  const CsvLayout& layout = plan.layout;
  const std::size_t width = plan.width();
  const bool has_label = plan.has_label(), has_weight = plan.has_weight();
  keep_ids = keep_ids && layout.has_id;
  chunk.cells = {};
  chunk.cells.features.resize(layout.features);
  chunk.labels = {};
  chunk.ids.clear();
  chunk.count = 0;
  chunk.fault.reset();
  chunk.id_fault.reset();
  const std::size_t lines = chunk.newlines + 1;
  if (chunk.rows.size() < lines * width) chunk.rows.resize(lines * width);
  std::string_view rest = chunk.text;
  try {
    if (chunk.batch) return parse_batch(plan, keep_ids, chunk);
    while (!rest.empty()) {
      const std::string_view record = take_record(rest, layout.delimiter, chunk.quoted);
      if (!is_row(record, layout.delimiter)) continue;
      double* row = chunk.rows.data() + chunk.count * width;
      std::string_view label, id;
      parse_row(record, layout,
                {row, has_label ? &label : nullptr, keep_ids ? &id : nullptr,
                 has_weight ? row + width - 1 : nullptr},
                chunk.cells);
      if (has_label) row[layout.features] = cell_of_text(chunk.labels.add(label, label.data()));
      if (keep_ids) add_id(id, chunk);
      ++chunk.count;
    }
  } catch (const ParseFault& fault) {
    chunk.fault = placed_in(fault, chunk);
  }
}

}  // namespace induce::detail
