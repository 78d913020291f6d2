// Rows of texts and numbers as CSV or as JSON lines. Numbers round-trip exactly.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace induce::cli {

class RowWriter {
 public:
  using Put = std::function<void(std::string_view)>;  // receives large pieces

  virtual ~RowWriter() = default;
  // A text as add_encoded() wants it, for texts that occur in many rows.
  virtual std::string encoded(std::string_view text) const = 0;
  // The cells of a row, in the order of the names.
  virtual void add_encoded(std::string_view cell) = 0;
  void add(double number);
  virtual void end_row() = 0;
  void flush();

 protected:
  explicit RowWriter(Put put) : put_(std::move(put)) {}
  void flush_if_large();

  std::string text_;

 private:
  Put put_;
};

// By the ending of the file's name: JSON lines for .jsonl, .ndjson and .json, otherwise CSV. An empty path is standard
// output.
std::unique_ptr<RowWriter> make_row_writer(const std::string& path, const std::vector<std::string>& names,
                                           RowWriter::Put put);
// Throws a usage Error for formats that only the Python package can write.
void check_output_format(const std::string& path);

}  // namespace induce::cli
