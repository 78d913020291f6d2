// Rows of texts and numbers as CSV, as JSON lines, or as a file of another library. Numbers round-trip exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "read/arrow.hpp"

namespace induce::cli {

class RowWriter {
 public:
  using Put = std::function<void(std::string_view)>;  // receives large pieces

  // By the ending of the file's name: JSON lines for .jsonl, .ndjson and .json, a table for .parquet, .pq, .feather, .arrow
  // and .ipc, otherwise CSV. An empty path is standard output.
  RowWriter(const std::string& path, const std::vector<std::string>& names, Put put);

  // A text as add_encoded() wants it, for texts that occur in many rows.
  std::string encoded(std::string_view text) const;
  // The cells of a row, in the order of the names.
  void add_encoded(std::string_view cell);
  void add(double number);
  void end_row();
  void flush();
  void finish();  // after the last row

 private:
  // Of a table, which is kept until all rows are known.
  struct Column {
    std::vector<double> numbers;
    std::string text;
    std::vector<std::int64_t> ends{0};
  };

  std::string path_;
  std::vector<std::string> names_;
  bool json_;
  std::vector<std::shared_ptr<Column>> table_;  // empty: text
  std::size_t rows_ = 0;                        // of the table
  std::vector<std::string> before_;             // each cell
  std::size_t next_ = 0;                        // cell
  std::string text_;
  Put put_;
};

// Who writes Parquet, Feather and Arrow files; nobody by default. Returns the bytes of the file for the path; without a
// table it only checks that it can.
using TableEncoder = std::function<std::string(const std::string& path, ArrowArrayStream* table)>;
void encode_tables_with(TableEncoder encoder);

// Throws a usage Error for a table that nobody here can write.
void check_output_format(const std::string& path);

}  // namespace induce::cli
