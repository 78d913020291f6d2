// A table of one or several files that was read, before it is needed as a whole: its shape, and its rows as the chunks have
// them, which become final rows on the way out: features with the numbers of their texts, classes and weights, without
// rows that have no label and columns that are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "file/scratch_file.hpp"
#include "read/table_shape.hpp"

namespace induce::detail {

// Rows of numbers in large blocks, in memory or in a scratch file. Files are written and read, never mapped: memory does not
// depend on the number of rows.
class RawRows {
 public:
  RawRows() = default;  // in memory
  // As for a ScratchFile.
  explicit RawRows(std::string folder, std::uint64_t expected = 0)
      : file_(std::make_unique<ScratchFile>(std::move(folder), expected)) {}

  // Forgets all rows; from now on a row has `width` numbers.
  void restart(std::size_t width);
  // Throws a ParseFault if memory gets scarce.
  void append(const double* rows, std::size_t count);

  // Rows from `first` on, until the next call; `count` becomes the number of rows there, if that is less.
  const double* read(std::size_t first, std::size_t& count);
  // Rows before this one are not needed any more.
  void release(std::size_t before);

  std::size_t rows() const { return rows_; }
  std::size_t width() const { return width_; }

 private:
  void add_block();
  std::size_t block_rows() const;
  std::size_t block_bytes() const { return block_rows() * width_ * sizeof(double); }

  std::unique_ptr<ScratchFile> file_;
  std::size_t rows_ = 0, width_ = 0;
  std::vector<std::unique_ptr<double[]>> blocks_;  // nullptr: in the file
  std::vector<double> buffer_;                     // for rows in the file
};

class RawTable {
 public:
  // Reads the plan's files until their shape is known. `rows`: where they go. Throws an Error.
  RawTable(ReadPlan plan, RawRows rows);
  // The table of one chunk. `width`: of its raw rows.
  RawTable(TableShape found, Chunk& chunk, std::size_t width, std::vector<std::string> all_ids);

  // Writes up to `most` rows and returns how many; 0: there are no more. x: row-major; `number`: of the raw row. All but x may
  // be nullptr.
  std::size_t next(std::size_t most, double* x, int* y, double* weight, std::size_t* number = nullptr,
                   double* successes = nullptr, double* trials = nullptr);
  void rewind();

  // What is known of the table, without its rows, after all of them were taken. It is taken from the shape.
  Dataset description();
  // With all rows, whose raw rows are released. Throws a ParseFault if there is not enough memory.
  Dataset all_rows();

  TableShape shape;
  std::vector<std::string> ids;  // of all raw rows, if the plan keeps them

 private:
  void append(Chunk& chunk);
  void write_features(const double* row, double* x);
  void write_entries(double* x);

  RawRows rows_;
  std::vector<SparseRows> entries_;   // the features of LIBSVM text, chunk by chunk
  std::size_t part_ = 0;              // of the entries, that has row next_ - 1
  std::size_t part_end_ = 0;          // rows in parts up to that one
  std::optional<SparseRows> sparse_;  // where they go, if the table stays sparse
  bool release_ = false;              // raw rows that were taken
  std::size_t next_ = 0;              // row
  std::size_t loaded_ = 0;            // rows before this one are loaded
  const double* row_ = nullptr;       // next_, if it is loaded
  std::vector<std::size_t> gaps_;     // missing values of each feature in the rows that were taken
  std::size_t rows_with_gaps_ = 0;
};

// All rows of the plan's files in memory. Throws an Error.
Dataset read_table(const ReadPlan& plan);

}  // namespace induce::detail
