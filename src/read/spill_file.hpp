// Rows of numbers in a scratch file, for tables that do not fit in memory. They are written and read in large pieces, never
// mapped: memory does not depend on their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "read/raw_rows.hpp"
#include "file/scratch_file.hpp"

namespace induce::detail {

class SpilledRows : public RawRows {
 public:
  // As for a ScratchFile.
  explicit SpilledRows(std::string folder, std::uint64_t expected = 0) : file_(std::move(folder), expected) {}

  // Asks the system to read the same number of rows after them.
  void read(std::size_t first, std::size_t count, double* to) override;

 protected:
  void clear() override;
  void write(const double* rows, std::size_t count) override;

 private:
  void flush();

  ScratchFile file_;
  std::uint64_t written_ = 0;    // bytes in the file
  std::vector<double> pending_;  // to be written
};

}  // namespace induce::detail
