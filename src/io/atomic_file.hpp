// A file that appears whole or not at all: written without a name (O_TMPFILE) or, where the file system cannot, under
// a temporary one in the same folder, then renamed. The place is tried at once, so that one that cannot be written is
// found before the work whose result it is for. An older file is whole until then, and its permissions and the
// symbolic links that lead to it stay.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/temporary_name.hpp"

namespace induce {

enum class Special { refused, written };  // devices and pipes; they get the bytes at commit()

class AtomicFile {
 public:
  // Throws a data Error if the place cannot be written. `argument` is what named the path, for the errors.
  explicit AtomicFile(const std::string& path, Special special = Special::refused, std::string argument = {});
  ~AtomicFile();  // without commit(): nothing is left behind
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();  // flushes to disk and renames; throws a data Error, leaving the old file as it was

 private:
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail(int error) const;
  void open_unnamed();
  void open_named();
  void give_name();
  void write_special();
  std::string link_to_descriptor() const;

  std::string path_, shown_;  // after and before symbolic links
  std::string argument_;
  bool special_ = false, open_ = false;
  std::string held_;  // for a device or a pipe, which is opened last: opening may wait for a reader
  TemporaryName temporary_;
  int descriptor_ = -1;
};

}  // namespace induce
