// See ordinary_file.hpp.
#include "io/ordinary_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <induce/error.hpp>

#include "rows/memory.hpp"

namespace induce {
namespace {

class OpenFile {
 public:
  // Not blocking: opening a pipe would otherwise wait for somebody to write to it.
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
    if (!S_ISREG(status.st_mode)) fail("it is a pipe or a device, not an ordinary file");
    return static_cast<std::size_t>(status.st_size);
  }

  // Returns how many bytes there were: fewer than wanted only at the file's end.
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

std::string ordinary_file_bytes(const std::string& path) {
  const OpenFile file(path);
  const std::size_t size = file.size();
  const double needed = static_cast<double>(size), there = memory_room().least();
  if (needed > there)
    file.fail("it takes " + memory_text(needed) + " of memory, " + memory_text(there) + " are there");
  std::string bytes(size, '\0');
  char beyond = 0;
  if (file.read(bytes.data(), size) != size || file.read(&beyond, 1) != 0)
    file.fail("it changed while it was read");
  return bytes;
}

}  // namespace induce
