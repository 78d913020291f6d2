// See spill_file.hpp.
#include "io/spill_file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <induce/error.hpp>

#include "rows/memory.hpp"

namespace induce {
namespace {

constexpr std::size_t piece = std::size_t{8} << 20;  // bytes that are written at once
constexpr const char* spill_prefix = "induce-spill-";

// Files of processes that are gone. Another process may do the same; whoever holds the lock deletes.
void remove_abandoned(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (!entry.path().filename().string().starts_with(spill_prefix)) continue;
    const int file = ::open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) continue;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(entry.path().c_str());
    ::close(file);
  }
}

int open_unnamed_in(const std::string& folder) {
#ifdef O_TMPFILE
  return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#else
  errno = EOPNOTSUPP;
  return -1;
#endif
}

// Between open() and unlink() the name exists, and a moment of it without a lock.
int open_deleted_in(const std::string& folder) {
  static std::atomic<unsigned> serial{0};
  const std::string name =
      folder + "/" + spill_prefix + std::to_string(::getpid()) + "-" + std::to_string(serial++);
  const int file = ::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  ::flock(file, LOCK_EX | LOCK_NB);
  ::unlink(name.c_str());
  return file;
}

}  // namespace

std::uint64_t free_bytes_of(const std::string& folder) {
  struct statvfs status {};
  if (::statvfs(folder.c_str(), &status) != 0)
    throw data_error("the scratch folder '" + folder + "' cannot be used: " + std::strerror(errno));
  return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

SpilledRows::SpilledRows(std::string folder, std::uint64_t expected) : folder_(std::move(folder)) {
  remove_abandoned(folder_);
  const std::uint64_t room = free_bytes_of(folder_);
  if (expected > room)
    throw data_error("the rows need about " + memory_text(static_cast<double>(expected)) +
                     " in the scratch folder '" + folder_ + "', which has " +
                     memory_text(static_cast<double>(room)) + " free");
  descriptor_ = open_unnamed_in(folder_);
  if (descriptor_ < 0) descriptor_ = open_deleted_in(folder_);
  if (descriptor_ < 0) fail("created", errno);
}

SpilledRows::~SpilledRows() { ::close(descriptor_); }

void SpilledRows::fail(const std::string& action, int error) const {
  const std::string what = "the file of rows in the scratch folder '" + folder_ + "' cannot be " + action;
  if (error != ENOSPC && error != EDQUOT) throw data_error(what + ": " + std::strerror(error));
  throw data_error(what + " after " + memory_text(static_cast<double>(written_)) + ": " +
                   std::strerror(error) + "; " + memory_text(static_cast<double>(free_bytes_of(folder_))) +
                   " are free");
}

void SpilledRows::clear() {
  written_ = 0;
  pending_.clear();
  if (::ftruncate(descriptor_, 0) != 0) fail("emptied", errno);
}

void SpilledRows::write(const double* from, std::size_t count) {
  pending_.insert(pending_.end(), from, from + count * width());
  if (pending_.size() * sizeof(double) >= piece) flush();
}

void SpilledRows::flush() {
  const char* bytes = reinterpret_cast<const char*>(pending_.data());
  std::size_t left = pending_.size() * sizeof(double);
  while (left > 0) {
    const ssize_t done = ::pwrite(descriptor_, bytes, left, static_cast<off_t>(written_));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("written", done < 0 ? errno : ENOSPC);
    written_ += static_cast<std::uint64_t>(done);
    bytes += done;
    left -= static_cast<std::size_t>(done);
  }
  pending_.clear();
}

void SpilledRows::read(std::size_t first, std::size_t count, double* to) {
  const std::size_t row_bytes = width() * sizeof(double);
  std::uint64_t at = first * row_bytes;
  std::size_t left = count * row_bytes;
  char* bytes = reinterpret_cast<char*>(to);
  ::posix_fadvise(descriptor_, static_cast<off_t>(at + left), static_cast<off_t>(left), POSIX_FADV_WILLNEED);
  while (left > 0 && at < written_) {
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(left, written_ - at));
    const ssize_t done = ::pread(descriptor_, bytes, most, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("read", done < 0 ? errno : EIO);
    at += static_cast<std::uint64_t>(done);
    bytes += done;
    left -= static_cast<std::size_t>(done);
  }
  if (left > 0)  // not written yet
    std::memcpy(bytes, reinterpret_cast<const char*>(pending_.data()) + (at - written_), left);
}

}  // namespace induce
