// Rows of texts and numbers as CSV or as JSON lines. Numbers round-trip exactly.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace induce::cli {

class RowWriter {
 public:
  using Put = std::function<void(std::string_view)>;  // receives large pieces

  // By the ending of the file's name: JSON lines for .jsonl, .ndjson and .json, otherwise CSV. An empty path is standard
  // output.
  RowWriter(const std::string& path, const std::vector<std::string>& names, Put put);

  // A text as add_encoded() wants it, for texts that occur in many rows.
  std::string encoded(std::string_view text) const;
  // The cells of a row, in the order of the names.
  void add_encoded(std::string_view cell);
  void add(double number);
  void end_row();
  void flush();

 private:
  bool json_;
  std::vector<std::string> before_;  // each cell
  std::size_t next_ = 0;             // cell
  std::string text_;
  Put put_;
};

// Throws a usage Error for formats that only the Python package can write.
void check_output_format(const std::string& path);

}  // namespace induce::cli
