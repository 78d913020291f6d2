// Files that the program writes. A result appears under its name only when it is whole.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/atomic_file.hpp"

namespace induce::cli {

class OutputFile : public AtomicFile {
 public:
  // `argument` is the option that named the path, for the error text.
  OutputFile(const std::string& argument, const std::string& path);
};

// A file that is written line by line and can be watched while it grows. Nothing of an older file is
// lost, and no new file stays, unless a line is written; the first one leaves only so many lines before it.
class LiveFile {
 public:
  LiveFile(std::string argument, const std::string& path);
  ~LiveFile();
  LiveFile(const LiveFile&) = delete;
  LiveFile& operator=(const LiveFile&) = delete;

  void write_line(std::string_view line, std::size_t older_lines = 0);

 private:
  std::string argument_;
  std::string path_;
  int descriptor_ = -1;
  bool created_ = false;
  bool started_ = false;
};

// Throws an Error when two of the files (argument, path) are one; empty paths do not count.
void check_all_different(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace induce::cli
