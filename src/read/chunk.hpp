// A chunk of a table: some rows, parsed before it is known what the columns are, and what was seen in them. The chunks of a
// table, merged in order, are what was seen of the table.
//
// A number and a date are written to the row at once; any other text as its number in the dictionary of its column
// (dictionary.hpp), which raw_table.hpp replaces when the whole table was seen.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/read_plan.hpp"
#include "read/schema.hpp"
#include "read/text_chunks.hpp"
#include "rows/sparse_rows.hpp"

namespace induce {

struct Chunk;

struct SeenTable {
  std::size_t rows = 0;
  std::vector<SeenColumn> features{};
  Dictionary labels{};
  bool more_labels = false;  // than are kept
  std::vector<std::string> ids{};

  std::optional<ParseFault>
      fault{};           // of the first row that has one, with its place; nothing was read after it
  bool stopped = false;  // a column must be read as texts: the rest was not read

  // LIBSVM
  std::size_t pairs = 0, largest_index = 0;
  std::size_t fewest_features =
      static_cast<std::size_t>(-1);               // that a row has: 1 to k without a gap, otherwise 0
  std::optional<Place> labelled{}, unlabelled{};  // the first row of either kind

  // The next chunk, whose texts get the numbers of the table. Returns false if nothing after it is needed.
  bool add(const ReadPlan& plan, Chunk& chunk);
  void add_pairs(const SeenTable& part);  // only what concerns LIBSVM text

 private:
  void add_labels(const ReadPlan& plan, Chunk& chunk);
};

struct Chunk : TextChunk {
  SeenTable seen;
  std::deque<std::string> copies;  // texts of the dictionaries that are not in the chunk as they are
  std::vector<double> rows;        // plan.width() numbers each; has room for more than there are
  SparseRows entries;              // features of LIBSVM text, zeros included; d is not known yet
};

// Parses the text up to the first row with a fault.
void parse_chunk(const ReadPlan& plan, Chunk& chunk);
// For each kind of chunk; parse_chunk calls them.
void parse_csv(const ReadPlan& plan, Chunk& chunk);
void parse_batch(const ReadPlan& plan, Chunk& chunk);
void parse_libsvm(const ReadPlan& plan, Chunk& chunk);

// What all rows of LIBSVM text must have in common. Throw a ParseFault.
void check_all_or_no_labels(const SeenTable& seen);
void check_features(const ReadPlan& plan, const SeenTable& seen);

// A cell without quotes and blanks around it; `offset`: where it is in the chunk.
double parse_cell(std::string_view token, std::size_t offset, CellRule rule, SeenColumn& seen);
// What is wrong with a weight.
std::string why_no_weight(const CsvLayout& layout, std::size_t column, std::string_view token);

// Calls use(chunk) for all chunks of the plan's files, parsed, in order; if that returns false, the rest is not read. Chunks
// are read by one thread while others parse those before. Memory is bounded by the size of the chunks. Throws the ParseFault
// of a text that cannot be cut into chunks, or an Error if a file cannot be read.
void for_each_chunk(const ReadPlan& plan, const std::function<bool(Chunk&)>& use);

}  // namespace induce
