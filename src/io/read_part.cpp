// See read_part.hpp. While a batch of chunks is parsed and merged, another thread reads the next one.
#include "io/read_part.hpp"

#include <cmath>
#include <future>

#include "io/csv_chunk.hpp"
#include "io/libsvm_chunk.hpp"
#include "io/part_text.hpp"
#include "rows/workers.hpp"

namespace induce {
namespace {

constexpr std::size_t most_labels = 1'000'000;  // that are kept; no table of classes has as many

// Merges chunks of CSV text, one after the other.
class CsvMerger {
 public:
  CsvMerger(const ReadPlan& plan, ReadPart& part)
      : plan_(plan), part_(part), next_check_(plan.layout.features, ManyTexts::most_kept) {
    part_.features.resize(plan.layout.features);
  }

  // Texts get the numbers of the part. Returns false if nothing after the chunk is needed.
  bool merge(CsvChunk& chunk) {
    ChunkPlaces places(chunk.text, chunk.start);
    part_.rows += chunk.count;
    for (std::size_t f = 0; f < part_.features.size(); ++f) merge_feature(chunk, f, places);
    merge_labels(chunk, places);
    for (std::string& id : chunk.ids) part_.ids.push_back(std::move(id));
    if (chunk.id_fault && !part_.id_fault) part_.id_fault = chunk.id_fault;
    part_.fault = chunk.fault;
    return !part_.fault && !part_.stopped;
  }

 private:
  static constexpr std::uint32_t not_kept = 0xfffffff0;

  void merge_feature(CsvChunk& chunk, std::size_t f, ChunkPlaces& places) {
    const CellCounts& from = chunk.cells.features[f];
    PartCells& to = part_.features[f];
    to.totals += {from.missing, from.numbers, from.dates};
    if (plan_.layout.label_is_guessed) see_numbers(chunk, f, to.totals);
    if (!from.texts.empty()) {
      const std::size_t before = to.texts.size();
      std::vector<std::uint32_t> number;
      if (to.many) {
        for (const Dictionary::Entry& entry : from.texts.entries()) to.many->add(entry, places);
      } else {
        for (const Dictionary::Entry& entry : from.texts.entries())
          number.push_back(to.texts.add(entry, places));
        for (std::size_t k = before; k < to.texts.size() && !to.has_texts; ++k)
          to.has_texts = !is_missing_cell(to.texts.entries()[k].text);
        if (before > 0) renumber(chunk, f, number);
        if (to.texts.size() > next_check_[f]) forget_if_id(f);
      }
    }
    const bool as_texts = plan_.layout.rule[f] != plan_.rules[f];
    if (!as_texts && needs_texts(plan_.rules[f], to.totals.numbers > 0, to.totals.dates > 0, to.has_texts))
      part_.stopped = true;
  }

  void renumber(CsvChunk& chunk, std::size_t column, const std::vector<std::uint32_t>& number) const {
    const std::size_t width = plan_.width();
    double* cell = chunk.rows.data() + column;
    std::uint32_t text = 0;
    for (std::size_t i = 0; i < chunk.count; ++i, cell += width)
      if (std::isnan(*cell) && text_of_cell(*cell, text)) *cell = cell_of_text(number[text]);
  }

  void see_numbers(const CsvChunk& chunk, std::size_t column, CellTotals& totals) const {
    if (totals.other) return;
    const std::size_t width = plan_.width();
    const double* cell = chunk.rows.data() + column;
    for (std::size_t i = 0; i < chunk.count; ++i, cell += width) {
      totals.zero |= *cell == 0;
      totals.one |= *cell == 1;
      totals.other |= !std::isnan(*cell) && *cell != 0 && *cell != 1;
    }
  }

  void merge_labels(CsvChunk& chunk, ChunkPlaces& places) {
    if (!plan_.has_label()) return;
    const bool first = part_.labels.size() == 0;
    std::vector<std::uint32_t> number;
    for (const Dictionary::Entry& entry : chunk.labels.entries()) {
      const bool full = part_.labels.size() >= most_labels;
      if (full && part_.labels.texts().find(entry.text, entry.hash) == part_.labels.size()) {
        part_.more_labels = true;
        number.push_back(not_kept);
      } else {
        number.push_back(part_.labels.add(entry, places));
      }
    }
    if (!first) renumber(chunk, plan_.layout.features, number);
  }

  // Does the column look like an id, by all of its cells so far?
  void forget_if_id(std::size_t f) {
    PartCells& cells = part_.features[f];
    next_check_[f] *= 2;
    const TableFacts facts{plan_.layout, plan_.options, part_.rows, plan_.head_file,
                           [](const Place&) { return std::string(); }};
    try {
      const bool as_texts = plan_.layout.rule[f] != plan_.rules[f];
      if (find_column(cells.view(), f, plan_.rules[f], as_texts, facts).use != FoundColumn::Use::id) return;
    } catch (const ParseFault&) {
      return;
    }
    cells.many = std::make_unique<ManyTexts>();
    for (const PlacedTexts::Entry& entry : cells.texts.entries())
      cells.many->add(entry, [](const Place& place) { return place; });
    cells.texts = {};
  }

  const ReadPlan& plan_;
  ReadPart& part_;
  std::vector<std::size_t> next_check_;  // texts of each feature
};

// Reads batches of chunks, parses them in parallel and merges them. Chunk: text, start, rows and count.
template <class Chunk, class Parse, class Merge>
void for_each_chunk(const ReadPlan& plan, PartText& text, const Parse& parse, const Merge& merge) {
  Workers workers(plan.options.threads);
  const std::size_t together = 2 * static_cast<std::size_t>(workers.size());
  struct Batch {
    std::vector<Chunk> chunks;
    std::size_t count = 0;
    std::optional<ParseFault> fault;  // of the text after them
  };
  Batch batches[2];
  const auto read = [&](Batch& batch) {
    batch.chunks.resize(together);
    batch.count = 0;
    try {
      while (batch.count < together &&
             text.take(batch.chunks[batch.count].text, batch.chunks[batch.count].start))
        ++batch.count;
    } catch (const ParseFault& fault) {
      batch.fault = fault;
    }
  };
  Batch *now = &batches[0], *next = &batches[1];
  read(*now);
  while (now->count > 0 || now->fault) {
    std::future<void> reading;
    const bool last = now->count < together;
    if (!last) reading = std::async(std::launch::async, [&, next] { read(*next); });
    workers.run(static_cast<Index>(now->count),
                [&](Index k, int /*worker*/) { parse(now->chunks[static_cast<std::size_t>(k)]); });
    for (std::size_t k = 0; k < now->count; ++k)
      if (!merge(now->chunks[k])) return;
    if (now->fault) throw *now->fault;
    if (last) return;
    reading.get();
    std::swap(now, next);
  }
}

}  // namespace

ReadPart read_part(const ReadPlan& plan, std::size_t number, RawRows& rows, bool keep_ids) {
  ReadPart part;
  PartText text(plan, number);
  try {
    if (plan.format == Format::libsvm) {
      rows.restart(plan.features + 1);
      for_each_chunk<LibsvmChunk>(
          plan, text, [&](LibsvmChunk& chunk) { parse_chunk(plan, chunk); },
          [&](LibsvmChunk& chunk) {
            const bool more = merge(plan, chunk, part);
            rows.append(chunk.rows.data(), plan.features == 0 ? 0 : chunk.count);
            return more;
          });
    } else {
      rows.restart(plan.width());
      CsvMerger merger(plan, part);
      for_each_chunk<CsvChunk>(
          plan, text, [&](CsvChunk& chunk) { parse_chunk(plan, keep_ids, chunk); },
          [&](CsvChunk& chunk) {
            const bool more = merger.merge(chunk);
            rows.append(chunk.rows.data(), chunk.count);
            return more;
          });
    }
  } catch (const ParseFault& fault) {
    part.fault = fault;
  }
  part.newlines = text.newlines();
  part.torn = text.torn();
  return part;
}

}  // namespace induce
