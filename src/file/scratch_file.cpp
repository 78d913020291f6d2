#include "file/scratch_file.hpp"

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

#include "machine/memory.hpp"

namespace induce::detail {
namespace {

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

void require_room(const std::string& folder, std::uint64_t bytes) {
  const std::uint64_t room = free_bytes_of(folder);
  if (bytes > room)
    throw data_error("the rows need about " + memory_text(static_cast<double>(bytes)) +
                     " in the scratch folder '" + folder + "', which has " +
                     memory_text(static_cast<double>(room)) + " free");
}

ScratchFile::ScratchFile(std::string folder, std::uint64_t expected) : folder_(std::move(folder)) {
  remove_abandoned(folder_);
  require_room(folder_, expected);
  descriptor_ = open_unnamed_in(folder_);
  if (descriptor_ < 0) descriptor_ = open_deleted_in(folder_);
  if (descriptor_ < 0) fail("created", 0, errno);
}

ScratchFile::~ScratchFile() { ::close(descriptor_); }

void ScratchFile::fail(const std::string& action, std::uint64_t at, int error) const {
  const std::string what = "the file of rows in the scratch folder '" + folder_ + "' cannot be " + action;
  if (error != ENOSPC && error != EDQUOT) throw data_error(what + ": " + std::strerror(error));
  throw data_error(what + " after " + memory_text(static_cast<double>(at)) + ": " + std::strerror(error) +
                   "; " + memory_text(static_cast<double>(free_bytes_of(folder_))) + " are free");
}

void ScratchFile::clear() {
  if (::ftruncate(descriptor_, 0) != 0) fail("emptied", 0, errno);
}

void ScratchFile::write(std::uint64_t at, const void* bytes, std::size_t count) {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t done = ::pwrite(descriptor_, from, count, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("written", at, done < 0 ? errno : ENOSPC);
    at += static_cast<std::uint64_t>(done);
    from += done;
    count -= static_cast<std::size_t>(done);
  }
}

void ScratchFile::read(std::uint64_t at, void* bytes, std::size_t count) const {
  char* to = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t done = ::pread(descriptor_, to, count, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("read", at, done < 0 ? errno : EIO);
    at += static_cast<std::uint64_t>(done);
    to += done;
    count -= static_cast<std::size_t>(done);
  }
}

void ScratchFile::expect(std::uint64_t at, std::size_t count) const {
  ::posix_fadvise(descriptor_, static_cast<off_t>(at), static_cast<off_t>(count), POSIX_FADV_WILLNEED);
}

}  // namespace induce::detail
