// A file that appears whole or not at all: written without a name or under a temporary one in the same
// folder, then renamed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace induce {

class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);  // throws a data Error if the folder cannot be written to
  ~AtomicFile();                                 // without commit(): removes the temporary file
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();  // flushes to disk and renames; throws a data Error, leaving the old file as it was

 private:
  [[noreturn]] void fail(const std::string& doing);
  std::string path_, temporary_;
  int descriptor_ = -1;
};

}  // namespace induce
