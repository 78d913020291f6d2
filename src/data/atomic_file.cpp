#include "data/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include <induce/error.hpp>

namespace induce {
AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  struct stat status;
  if (path.empty()) throw data_error("cannot write to '': the name is empty");
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) throw data_error(path + ": cannot be written: it is a folder");
    if (access(path.c_str(), W_OK) != 0)
      throw data_error(path + ": cannot be written: " + std::strerror(errno));
  }
  // Not mkstemp: a file made by open() gets the permissions that the user's umask grants.
  static std::atomic<unsigned> serial{0};
  for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
    temporary_ = path + "." + std::to_string(getpid()) + "." + std::to_string(serial++) + ".tmp";
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) throw data_error(path + ": cannot be written: " + std::strerror(errno));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::fail(const std::string& doing) {
  const std::string why = std::strerror(errno);
  throw data_error(path_ + ": " + doing + " failed: " + why + "; nothing there was changed");
}

void AtomicFile::write(const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, at, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("writing");
    at += written;
    count -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail("flushing");
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0) fail("closing");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("renaming");
  temporary_.clear();
}

}  // namespace induce
