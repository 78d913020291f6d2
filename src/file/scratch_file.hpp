// A file in a scratch folder that only this process knows.
//
// The file has no name (O_TMPFILE), so a crash leaves nothing. Where the file system does not support that, it is called
// induce-spill-<process>-<number> and deleted at once; a lock says that its process lives, and files without one, of
// processes that were killed before they could delete them, are removed by the next process that uses the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace induce::detail {

class ScratchFile {
 public:
  // `folder`: an existing one. `expected`: the bytes that will be written, 0 if unknown. Throws a data Error that names the
  // folder, the needed and the free bytes if there is no room for them, and if the file cannot be made.
  explicit ScratchFile(std::string folder, std::uint64_t expected = 0);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  // Any number of threads may read and write different parts. Throw a data Error.
  void write(std::uint64_t at, const void* bytes, std::size_t count);
  void read(std::uint64_t at, void* bytes, std::size_t count) const;
  // Tells the system what will be read next.
  void expect(std::uint64_t at, std::size_t count) const;
  void clear();

 private:
  [[noreturn]] void fail(const std::string& action, std::uint64_t at, int error) const;

  std::string folder_;
  int descriptor_ = -1;
};

// Free bytes for files of this user in a folder.
std::uint64_t free_bytes_of(const std::string& folder);
// Throws if the folder has less room.
void require_room(const std::string& folder, std::uint64_t bytes);

}  // namespace induce::detail
