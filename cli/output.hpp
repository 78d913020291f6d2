// Output files. A result file appears under its name only once it is complete.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "internals.hpp"
#include "file/atomic_file.hpp"

namespace induce::cli {

class OutputFile : public AtomicFile {
 public:
  // `argument` is the option that gave the path, for error messages.
  OutputFile(const std::string& argument, const std::string& path);
};

// A file that is written line by line and can be watched while it grows. Until the first line is written, an old
// file is unchanged and a new file is removed on destruction.
class LiveFile {
 public:
  LiveFile(std::string argument, const std::string& path);
  ~LiveFile();
  LiveFile(const LiveFile&) = delete;
  LiveFile& operator=(const LiveFile&) = delete;

  // The first call truncates the file to its first `older_lines` lines.
  void write_line(std::string_view line, std::size_t older_lines = 0);

 private:
  std::string argument_;
  std::string path_;
  int descriptor_ = -1;
  bool created_ = false;
  bool started_ = false;
};

// Throws a usage Error if two of the (argument, path) pairs are the same file, or one is a file of DATA. Ignores empty paths.
void check_all_different(const std::vector<std::string>& data,
                         const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace induce::cli
