// See atomic_file.hpp. Where the file system can (O_TMPFILE) the file has no name until it is whole, so that
// not even SIGKILL leaves a half one behind.
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <induce/error.hpp>

namespace induce {
namespace {

// A symbolic link stands for what it points to.
std::string resolved(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto real = std::filesystem::weakly_canonical(path, error);
  return error ? path : real.string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string unused_name(const std::string& path) {
  static std::atomic<unsigned> serial{0};
  return path + "." + std::to_string(getpid()) + "." + std::to_string(serial++) + ".tmp";
}

// Tries names until one is free.
template <class Make>
bool under_a_new_name(const std::string& path, std::string& name, const Make& make) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = unused_name(path);
    if (make(name.c_str())) return true;
    if (errno != EEXIST) break;
  }
  name.clear();
  return false;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(resolved(path)) {
  if (path.empty()) throw data_error("cannot write to '': the name is empty");
  mode_t mode = 0666;  // and the user's umask
  struct stat status;
  if (stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) throw data_error(path + ": cannot be written: it is a folder");
    if (!S_ISREG(status.st_mode)) throw data_error(path + ": cannot be written: it is not an ordinary file");
    if (access(path_.c_str(), W_OK) != 0)
      throw data_error(path + ": cannot be written: " + std::strerror(errno));
    mode = status.st_mode & 07777;
  }
  descriptor_ = open(folder_of(path_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    under_a_new_name(path_, temporary_, [&](const char* name) {
      descriptor_ = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      return descriptor_ >= 0;
    });
  if (descriptor_ < 0) throw data_error(path + ": cannot be written: " + std::strerror(errno));
  if (mode != 0666) fchmod(descriptor_, mode);  // as the older file; where that may not be, as a new one
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
  if (temporary_.empty()) {  // a name at last; none can be taken over, so not yet its own
    const std::string open_file = "/proc/self/fd/" + std::to_string(descriptor_);
    const bool named = under_a_new_name(path_, temporary_, [&](const char* name) {
      return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    });
    if (!named) fail("naming");
  }
  if (close(std::exchange(descriptor_, -1)) != 0) fail("closing");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("renaming");
  temporary_.clear();
}

}  // namespace induce
