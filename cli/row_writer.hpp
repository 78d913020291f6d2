// Rows of texts and numbers as CSV, as JSON lines, or as a file of another library. Numbers round-trip exactly.
#pragma once

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

  virtual ~RowWriter() = default;
  // A text as add_encoded() wants it, for texts that occur in many rows.
  virtual std::string encoded(std::string_view text) const = 0;
  // The cells of a row, in the order of the names.
  virtual void add_encoded(std::string_view cell) = 0;
  virtual void add(double number);
  virtual void end_row() = 0;
  void flush();
  virtual void finish() { flush(); }  // after the last row

 protected:
  explicit RowWriter(Put put) : put_(std::move(put)) {}
  void flush_if_large();

  std::string text_;
  Put put_;
};

// Who writes Parquet, Feather and Arrow files; nobody by default. Returns the bytes of the file for the path; without a
// table it only checks that it can.
using TableEncoder = std::function<std::string(const std::string& path, ArrowArrayStream* table)>;
void encode_tables_with(TableEncoder encoder);

// By the ending of the file's name: JSON lines for .jsonl, .ndjson and .json, a table for .parquet, .pq, .feather, .arrow and
// .ipc, otherwise CSV. An empty path is standard output.
std::unique_ptr<RowWriter> make_row_writer(const std::string& path, const std::vector<std::string>& names,
                                           RowWriter::Put put);
// Throws a usage Error for a table that nobody here can write.
void check_output_format(const std::string& path);

}  // namespace induce::cli
