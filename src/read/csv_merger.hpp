// Merges chunks of CSV text (csv_chunk.hpp) into what was seen of the table, one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "read/csv_chunk.hpp"
#include "read/seen_table.hpp"

namespace induce::detail {

class CsvMerger {
 public:
  // Both must outlive it.
  CsvMerger(const ReadPlan& plan, SeenTable& seen);

  // Texts get the numbers of the table. Returns false if nothing after the chunk is needed.
  bool merge(CsvChunk& chunk);

 private:
  void merge_feature(CsvChunk& chunk, std::size_t f, ChunkPlaces& places);
  void merge_labels(CsvChunk& chunk, ChunkPlaces& places);
  void renumber(CsvChunk& chunk, std::size_t column, const std::vector<std::uint32_t>& number) const;
  void forget_if_id(std::size_t f);

  const ReadPlan& plan_;
  SeenTable& seen_;
  std::vector<std::size_t> next_check_;  // texts of each feature
};

}  // namespace induce::detail
