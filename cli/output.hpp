// Files that the program writes. A result appears under its name only when it is whole: it is written
// to a temporary file next to it and renamed. The temporary file is made before the work starts, so a
// place that cannot be written is found at once, and it never stays behind.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace induce::cli {

class OutputFile {
 public:
  // `argument` is the option that named the path, for the error text.
  OutputFile(std::string argument, const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void commit();  // puts the file in its place; an older file there is whole until then

 private:
  std::string argument_;
  std::filesystem::path target_;
  std::string temporary_;
  std::size_t slot_ = 0;
  bool rename_ = true;  // false: the target is a device or a pipe, which gets the bytes instead
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

// Removes every temporary file. Safe to call from a signal handler.
void remove_temporaries() noexcept;

}  // namespace induce::cli
