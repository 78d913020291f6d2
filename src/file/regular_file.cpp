// See regular_file.hpp.
#include "file/regular_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <induce/error.hpp>

#include "machine/memory.hpp"

namespace induce::detail {
namespace {

class OpenFile {
 public:
  // Non-blocking: opening a pipe would otherwise wait for a writer.
  explicit OpenFile(const std::string& path)
      : path_(path), number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (number_ < 0) fail(std::strerror(errno));
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { ::close(number_); }

  [[noreturn]] void fail(const std::string& why) const {
    throw data_error(path_ + ": cannot be read: " + why);
  }

  std::size_t size() const {
    struct stat status {};
    if (::fstat(number_, &status) != 0) fail(std::strerror(errno));
    if (S_ISDIR(status.st_mode)) fail("it is a folder");
    if (!S_ISREG(status.st_mode)) fail("it is a pipe or a device, not a regular file");
    return static_cast<std::size_t>(status.st_size);
  }

  // Returns the number of bytes read: fewer than wanted only at the end of the file.
  std::size_t read(char* out, std::size_t wanted) const {
    std::size_t got = 0;
    while (got < wanted) {
      const ssize_t now = ::read(number_, out + got, wanted - got);
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) fail(std::strerror(errno));
      if (now == 0) break;
      got += static_cast<std::size_t>(now);
    }
    return got;
  }

 private:
  const std::string& path_;
  int number_;
};

}  // namespace

std::string regular_file_bytes(const std::string& path) {
  const OpenFile file(path);
  const std::size_t size = file.size();
  const double needed = static_cast<double>(size), available = available_memory().least();
  if (needed > available)
    file.fail("it needs " + memory_text(needed) + " of memory, only " + memory_text(available) +
              " available");
  std::string bytes(size, '\0');
  char beyond = 0;
  if (file.read(bytes.data(), size) != size || file.read(&beyond, 1) != 0)
    file.fail("it changed while being read");
  return bytes;
}

}  // namespace induce::detail
