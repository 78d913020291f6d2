// See atomic_file.hpp. An unnamed file leaves nothing behind, even after SIGKILL.
#include "file/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <induce/error.hpp>

namespace induce::detail {
namespace {

// The target, if the path is a symbolic link.
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

// The new name survives a power failure only if its folder does. Errors are ignored: the file is in place, and some file
// systems cannot sync a folder.
void sync_folder(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

// Returns 0 or an errno value.
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
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && access(path.c_str(), W_OK) != 0) fail(errno);
  special_ = exists && !S_ISREG(status.st_mode);
  if (special_ && special == Special::refused) fail("it is not a regular file");
  if (special_) return;
  path_ = resolved(path);
  open_unnamed();
  if (descriptor_ < 0) open_named();
  open_ = true;
  if (exists) fchmod(descriptor_, status.st_mode & 07777);  // if not permitted, keep the default mode
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  temporary_.remove();
}

void AtomicFile::fail(const std::string& why) const {
  const std::string prefix = argument_.empty() ? "" : argument_ + ": ",
                    shown = shown_.empty() ? "''" : shown_;
  throw data_error(prefix + shown + ": cannot be written: " + why + (open_ ? "; nothing was changed" : ""));
}

void AtomicFile::fail(int error) const { fail(std::strerror(error)); }

// Requires /proc to name the file later, which some containers lack.
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

// linkat() cannot replace an existing name, so the file gets a temporary name first.
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
  const int write_error = write_all(descriptor, held_);
  const int error = close(descriptor) != 0 && write_error == 0 ? errno : write_error;
  if (error != 0) fail(error);
}

// Syncs before renaming: a power failure after the rename must not leave an empty file, and some file systems
// report only now that they are full.
void AtomicFile::commit() {
  if (special_) return write_special();
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
  if (temporary_.empty()) give_name();
  if (close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.forget();
  sync_folder(folder_of(path_));
}

}  // namespace induce::detail
