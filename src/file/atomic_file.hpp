// Atomic file replacement. The data goes to an unnamed file (O_TMPFILE) or, if the file system lacks support,
// to a temporary name in the same folder, and is then renamed. The constructor opens the file, so a path that
// is not writable is reported before the result is computed. An existing file stays intact until the rename;
// its permissions and symbolic links to it are preserved.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "file/temporary_name.hpp"

namespace induce::detail {

enum class Special { refused, written };  // devices and pipes; written at commit()

class AtomicFile {
 public:
  // Throws a data Error if the path is not writable. `argument` names the path's source in error messages.
  explicit AtomicFile(const std::string& path, Special special = Special::refused, std::string argument = {});
  ~AtomicFile();  // without commit(): discards the data
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();  // syncs and renames; on failure throws a data Error and keeps the old file

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
  std::string held_;  // for a device or pipe, opened last because opening may block until there is a reader
  TemporaryName temporary_;
  int descriptor_ = -1;
};

}  // namespace induce::detail
