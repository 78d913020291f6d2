// Rows of numbers in a file that only this process knows, for tables that do not fit in memory.
//
// The file has no name (O_TMPFILE), so a crash leaves nothing. Where the file system does not support that, it is called
// induce-spill-<process>-<number> and deleted at once; a lock says that its process lives, and files without one, of
// processes that were killed before they could delete them, are removed by the next process that uses the folder. Rows are
// written and read in large pieces, never mapped: memory does not depend on their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/raw_rows.hpp"

namespace induce {

class SpilledRows : public RawRows {
 public:
  // `folder`: an existing one. `expected`: the bytes that the rows will need, 0 if unknown. Throws a data Error that names the
  // folder, the needed and the free bytes if there is no room for them, and if the file cannot be made.
  explicit SpilledRows(std::string folder, std::uint64_t expected = 0);
  ~SpilledRows() override;
  SpilledRows(const SpilledRows&) = delete;
  SpilledRows& operator=(const SpilledRows&) = delete;

  // Asks the system to read the same number of rows after them.
  void read(std::size_t first, std::size_t count, double* to) override;

 protected:
  void clear() override;
  void write(const double* rows, std::size_t count) override;

 private:
  [[noreturn]] void fail(const std::string& action, int error) const;
  void flush();

  std::string folder_;
  int descriptor_ = -1;
  std::uint64_t written_ = 0;    // bytes in the file
  std::vector<double> pending_;  // to be written
};

// Free bytes for files of this user in a folder.
std::uint64_t free_bytes_of(const std::string& folder);

}  // namespace induce
