// A chunk of CSV text, parsed into rows whose texts have the numbers of the chunk's own dictionaries.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "read/csv_cells.hpp"
#include "read/lines.hpp"
#include "read/read_plan.hpp"
#include "read/text_chunks.hpp"

namespace induce::detail {

struct CsvChunk : TextChunk {
  ChunkCells cells;
  Dictionary labels;
  std::vector<std::string> ids;
  std::vector<double> rows;  // has room for more than `count` rows
  std::size_t count = 0;
  std::optional<ParseFault> fault, id_fault;  // with their places
};

// Parses the text up to the first row with a fault.
void parse_chunk(const ReadPlan& plan, bool keep_ids, CsvChunk& chunk);
// The same for a chunk with a batch; parse_chunk calls it.
void parse_batch(const ReadPlan& plan, bool keep_ids, CsvChunk& chunk);

}  // namespace induce::detail
