// A chunk of a table: some rows, parsed before it is known what the columns are, and what was seen in them. The chunks of a
// table, merged in order, are what was seen of the table.
//
// A number and a date are written to the row at once; any other text as its number in the dictionary of its column
// (dictionary.hpp), which raw_table.hpp replaces when the whole table was seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/read_plan.hpp"
#include "read/schema.hpp"
#include "rows/sparse_rows.hpp"

namespace induce::detail {

class ArrowBatch;
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
};

struct Chunk {
  std::string text;
  std::shared_ptr<const ArrowBatch> batch{};  // in place of the text, which then has a newline for each row
  Place start;
  std::size_t newlines = 0;
  bool quoted = false;  // has quotes, in CSV text

  // Parsed
  SeenTable seen;
  std::deque<std::string> copies;  // texts of the dictionaries that are not in the chunk as they are
  std::vector<double> rows;        // plan.width() numbers each; has room for more than there are
  SparseRows entries;              // features of LIBSVM text, zeros included; d is not known yet
};

// The text of a file in chunks that end where a record ends, so that memory does not depend on the file's size.
//
// A chunk is the fewest whole records that have the wanted number of bytes. Without quotes a record is a line. With quotes
// its end is found by the CSV grammar, one record after the other: a newline may be part of a field.
class TextChunks {
 public:
  // Without a byte order mark.
  TextChunks(const Source& source, std::uint32_t file);

  // What was read and not yet taken.
  std::string_view head() const { return std::string_view(buffer_).substr(used_); }
  bool ended() const { return ended_; }  // there is no more than the head
  void read_more();
  void skip(std::size_t bytes);  // of the head
  // Reads on until the head has the first row. `delimiter`: 0 if it is to be found.
  void read_first_row(char delimiter);

  // Takes a chunk of at least `size` bytes, unless the text ends before. False: there is none. `delimiter`: of CSV text; 0
  // if quotes mean nothing. Throws a ParseFault if a record has more than longest_record bytes.
  bool take(char delimiter, std::size_t size, Chunk& chunk);

  Place place() const { return {file_, offset_, newlines_ + 1}; }  // of the head

  static constexpr std::size_t longest_record = std::size_t{1} << 28;

 private:
  std::size_t end_of_chunk(char delimiter, std::size_t size, bool& quoted);
  std::size_t end_of_records(char delimiter, std::size_t size, std::size_t& scanned) const;

  std::unique_ptr<ByteStream> stream_;
  std::uint32_t file_;
  std::string buffer_;
  std::size_t used_ = 0;  // bytes of the buffer that were taken
  bool ended_ = false;
  std::uint64_t offset_ = 0, newlines_ = 0;
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
// The number of trials that a cell has. Throws a ParseFault.
double trials_of(std::string_view token, const CsvLayout& layout, std::size_t column, const char* at);
// If labels are counts or shares: throws a ParseFault unless this one is one of the trials of the raw row, or is missing.
void check_successes(const ReadPlan& plan, std::string_view label, const double* row, const char* at);
// Throws a ParseFault if the cell of a column of groups or times has no value.
void check_group(std::string_view token, const CsvLayout& layout, const char* at);
// What is wrong with a weight.
std::string why_no_weight(const CsvLayout& layout, std::size_t column, std::string_view token);

// Calls use(chunk) for all chunks of the plan's files, parsed, in order; if that returns false, the rest is not read. Chunks
// are read by one thread while others parse those before. Memory is bounded by the size of the chunks. Throws the ParseFault
// of a text that cannot be cut into chunks, or an Error if a file cannot be read.
void for_each_chunk(const ReadPlan& plan, const std::function<bool(Chunk&)>& use);

}  // namespace induce::detail
