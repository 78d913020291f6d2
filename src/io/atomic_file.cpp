// See atomic_file.hpp. A file without a name is not left behind by SIGKILL either.
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

// Zero, or the error.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, Special special, std::string argument)
    : path_(path), shown_(path), argument_(std::move(argument)) {
  if (path.empty()) fail(ENOENT);
  struct stat status {};
  const bool there = stat(path.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (there && access(path.c_str(), W_OK) != 0) fail(errno);
  special_ = there && !S_ISREG(status.st_mode);
  if (special_ && special == Special::refused) fail("it is not an ordinary file");
  if (special_) return;
  path_ = resolved(path);
  open_unnamed();
  if (descriptor_ < 0) open_named();
  open_ = true;
  if (there) fchmod(descriptor_, status.st_mode & 07777);  // where that may not be, as a new one
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  temporary_.remove();
}

void AtomicFile::fail(const std::string& why) const {
  const std::string who = argument_.empty() ? "" : argument_ + ": ", where = shown_.empty() ? "''" : shown_;
  throw data_error(who + where + ": cannot be written: " + why +
                   (open_ ? "; nothing there was changed" : ""));
}

void AtomicFile::fail(int error) const { fail(std::strerror(error)); }

// Its name will come by way of /proc, which some containers lack.
void AtomicFile::open_unnamed() {
  descriptor_ = open(folder_of(path_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor_ >= 0 && access(link_to_descriptor().c_str(), F_OK) != 0)
    close(std::exchange(descriptor_, -1));
}

void AtomicFile::open_named() {
  const int error = temporary_.make(folder_of(path_), [&](const char* name) {
    descriptor_ = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return descriptor_ >= 0;
  });
  if (error != 0) fail(error);
}

// No name can be taken over, so it is not yet the final one.
void AtomicFile::give_name() {
  const std::string link = link_to_descriptor();
  const int error = temporary_.make(folder_of(path_), [&](const char* name) {
    return linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  });
  if (error != 0) fail(error);
}

std::string AtomicFile::link_to_descriptor() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

void AtomicFile::write(const void* bytes, std::size_t count) {
  const std::string_view text(static_cast<const char*>(bytes), count);
  if (special_) {
    held_ += text;
  } else if (const int error = write_all(descriptor_, text)) {
    fail(error);
  }
}

void AtomicFile::write_special() {
  const int descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(errno);
  const int wrong = write_all(descriptor, held_);
  const int error = close(descriptor) != 0 && wrong == 0 ? errno : wrong;
  if (error != 0) fail(error);
}

// On the disk before it has the name: a power cut after the rename must not leave an empty file, and some disks tell
// only now that they are full.
void AtomicFile::commit() {
  if (special_) return write_special();
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
  if (temporary_.empty()) give_name();
  if (close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.forget();
}

}  // namespace induce
