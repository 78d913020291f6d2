// See csv_merger.hpp.
#include "read/csv_merger.hpp"

#include <cmath>

#include "read/number.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t most_labels = 1'000'000;  // that are kept; no table of classes has as many

constexpr std::uint32_t not_kept = 0xfffffff0;

}  // namespace

CsvMerger::CsvMerger(const ReadPlan& plan, SeenTable& seen)
    : plan_(plan), seen_(seen), next_check_(plan.layout.features, most_texts) {
  seen_.features.resize(plan.layout.features);
  for (std::size_t f = 0; f < plan.storage.size(); ++f) seen_.features[f].storage = plan.storage[f];
}

bool CsvMerger::merge(CsvChunk& chunk) {
  ChunkPlaces places(chunk.text, chunk.start);
  seen_.rows += chunk.count;
  for (std::size_t f = 0; f < seen_.features.size(); ++f) merge_feature(chunk, f, places);
  merge_labels(chunk, places);
  for (std::string& id : chunk.ids) seen_.ids.push_back(std::move(id));
  if (chunk.id_fault && !seen_.id_fault) seen_.id_fault = chunk.id_fault;
  seen_.fault = chunk.fault;
  return !seen_.fault && !seen_.stopped;
}

void CsvMerger::merge_feature(CsvChunk& chunk, std::size_t f, ChunkPlaces& places) {
  const CellCounts& from = chunk.cells.features[f];
  SeenColumn& to = seen_.features[f];
  to.missing += from.missing;
  to.numbers += from.numbers;
  to.dates += from.dates;
  to.padded += from.padded;
  if (!from.texts.empty()) {
    const std::size_t before = to.texts.size();
    std::vector<std::uint32_t> number;
    if (to.many) {
      for (const Dictionary::Entry& entry : from.texts.entries())
        if (is_missing_cell(entry.text)) to.missing += entry.count;
    } else {
      for (const Dictionary::Entry& entry : from.texts.entries())
        number.push_back(to.texts.add(entry, places));
      for (std::size_t k = before; k < to.texts.size() && !to.has_texts; ++k)
        to.has_texts = !is_missing_cell(to.texts.entries()[k].text);
      if (before > 0) renumber(chunk, f, number);
      if (to.texts.size() > next_check_[f]) forget_if_id(f);
    }
  }
  if (!plan_.is_settled(f) && needs_texts(plan_.rules[f], to.numbers > 0, to.dates > 0, to.has_texts))
    seen_.stopped = true;
}

void CsvMerger::renumber(CsvChunk& chunk, std::size_t column,
                         const std::vector<std::uint32_t>& number) const {
  const std::size_t width = plan_.width();
  double* cell = chunk.rows.data() + column;
  std::uint32_t text = 0;
  for (std::size_t i = 0; i < chunk.count; ++i, cell += width)
    if (std::isnan(*cell) && text_of_cell(*cell, text)) *cell = cell_of_text(number[text]);
}

void CsvMerger::merge_labels(CsvChunk& chunk, ChunkPlaces& places) {
  if (!plan_.has_label()) return;
  const bool first = seen_.labels.size() == 0;
  std::vector<std::uint32_t> number;
  for (const Dictionary::Entry& entry : chunk.labels.entries()) {
    const bool full = seen_.labels.size() >= most_labels;
    if (full && seen_.labels.texts().find(entry.text, entry.hash) == seen_.labels.size()) {
      seen_.more_labels = true;
      number.push_back(not_kept);
    } else {
      number.push_back(seen_.labels.add(entry, places));
    }
  }
  if (!first) renumber(chunk, plan_.layout.features, number);
}

// Does the column look like an id, by all of its cells so far?
void CsvMerger::forget_if_id(std::size_t f) {
  SeenColumn& cells = seen_.features[f];
  next_check_[f] *= 2;
  try {
    if (find_column(cells, plan_.setting(f, seen_.rows), plan_.is_settled(f)).use != FoundColumn::Use::id)
      return;
  } catch (const ParseFault&) {
    return;
  }
  cells.many = true;
  for (const PlacedTexts::Entry& entry : cells.texts.entries())
    if (is_missing_cell(entry.text)) cells.missing += entry.count;
  cells.texts = {};
}

}  // namespace induce::detail
