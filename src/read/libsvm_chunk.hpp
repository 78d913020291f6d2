// A chunk of LIBSVM text. If the number of features is not known, only what is needed to find it is counted.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "read/dictionary.hpp"
#include "read/lines.hpp"
#include "read/read_plan.hpp"
#include "read/text_chunks.hpp"

namespace induce::detail {

struct SeenTable;

struct LibsvmChunk : TextChunk {
  std::vector<double> rows;  // features and the number of the label; has room for more than `count` rows
  std::size_t count = 0;
  Dictionary labels;
  std::size_t pairs = 0, largest_index = 0;
  std::size_t least_last_index = 0;  // of all rows, the least index that ends one
  bool complete = true;              // every row has all features up to its last
  std::optional<Place> labelled{}, unlabelled{};
  std::optional<ParseFault> fault;
};

// Parses the text up to the first row with a fault.
void parse_chunk(const ReadPlan& plan, LibsvmChunk& chunk);

// Adds the chunk to what was seen; labels get its numbers. Returns false if nothing after the chunk is needed.
bool merge(const ReadPlan& plan, LibsvmChunk& chunk, SeenTable& seen);

}  // namespace induce::detail
