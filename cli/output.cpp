// See output.hpp. Temporary names are registered in a fixed array so that a signal handler can remove
// them without touching the heap.
#include "output.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <induce/error.hpp>

namespace induce::cli {
namespace fs = std::filesystem;
namespace {

std::array<std::atomic<char*>, 16> registered_temporaries{};

std::size_t remember(const std::string& path) {
  char* copy = ::strdup(path.c_str());
  for (std::size_t slot = 0; slot < registered_temporaries.size(); ++slot) {
    char* empty = nullptr;
    if (registered_temporaries[slot].compare_exchange_strong(empty, copy)) return slot;
  }
  std::free(copy);
  throw data_error("too many files are being written at once");
}

void forget(std::size_t slot) { std::free(registered_temporaries[slot].exchange(nullptr)); }

Error cannot_write(const std::string& argument, const fs::path& path, int error) {
  return data_error(argument + ": cannot write '" + path.string() + "': " + std::strerror(error));
}

// An open descriptor that closes itself.
struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  int close() { return ::close(std::exchange(number, -1)); }
};

void write_all(int descriptor, std::string_view text, const std::string& argument, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw cannot_write(argument, path, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// A symbolic link stands for what it points to, so that writing "through" it keeps the link.
fs::path resolve(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real;
}

std::string make_temporary(const fs::path& folder, const std::string& argument, const fs::path& target) {
  static std::atomic<unsigned> count{0};
  for (;;) {
    const std::string name = ".induce-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".tmp";
    const std::string path = (folder / name).string();
    const Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
    if (file.number >= 0) return path;
    if (errno != EEXIST) throw cannot_write(argument, target, errno);
  }
}

void copy_bytes(const std::string& from, const fs::path& to, const std::string& argument) {
  const Descriptor in{::open(from.c_str(), O_RDONLY | O_CLOEXEC)};
  if (in.number < 0) throw cannot_write(argument, to, errno);
  Descriptor out{::open(to.c_str(), O_WRONLY | O_CLOEXEC)};
  if (out.number < 0) throw cannot_write(argument, to, errno);
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t got = ::read(in.number, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw cannot_write(argument, to, errno);
    if (got == 0) break;
    write_all(out.number, {buffer.data(), static_cast<std::size_t>(got)}, argument, to);
  }
  if (out.close() != 0) throw cannot_write(argument, to, errno);
}

// Of the first so many whole lines of a file, or of all if it has fewer.
off_t length_of_lines(const std::string& path, std::size_t lines) {
  std::ifstream in(path, std::ios::binary);
  off_t length = 0;
  for (std::string line; lines > 0 && std::getline(in, line) && !in.eof(); --lines)
    length += static_cast<off_t>(line.size()) + 1;
  return length;
}

}  // namespace

OutputFile::OutputFile(std::string argument, const std::string& path)
    : argument_(std::move(argument)), target_(resolve(path)) {
  if (path.empty()) throw usage_error(argument_ + ": the file name is empty");
  std::error_code error;
  const fs::file_status status = fs::status(target_, error);
  if (fs::is_directory(status)) throw cannot_write(argument_, target_, EISDIR);
  if (fs::exists(status) && ::access(target_.c_str(), W_OK) != 0)
    throw cannot_write(argument_, target_, errno);
  rename_ = !fs::exists(status) || fs::is_regular_file(status);
  const fs::path folder = rename_ ? target_.parent_path() : fs::temp_directory_path();
  temporary_ = make_temporary(folder.empty() ? "." : folder, argument_, target_);
  slot_ = remember(temporary_);
}

OutputFile::~OutputFile() {
  ::unlink(temporary_.c_str());
  forget(slot_);
}

void OutputFile::write(std::string_view text) {
  Descriptor file{::open(temporary_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)};
  if (file.number < 0) throw cannot_write(argument_, target_, errno);
  write_all(file.number, text, argument_, target_);
  if (file.close() != 0) throw cannot_write(argument_, target_, errno);
}

void OutputFile::commit() {
  if (!rename_) return copy_bytes(temporary_, target_, argument_);
  struct stat older;
  if (::stat(target_.c_str(), &older) == 0) ::chmod(temporary_.c_str(), older.st_mode & 07777);
  // On the disk before it has the name: a power cut after the rename must not leave an empty file, and some
  // disks tell only now that they are full.
  const Descriptor file{::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC)};
  if (file.number < 0 || (::fsync(file.number) != 0 && errno != EINVAL))
    throw cannot_write(argument_, target_, errno);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) throw cannot_write(argument_, target_, errno);
}

LiveFile::LiveFile(std::string argument, const std::string& path)
    : argument_(std::move(argument)), path_(path) {
  std::error_code error;
  created_ = !fs::exists(path_, error);
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw cannot_write(argument_, path_, errno);
}

LiveFile::~LiveFile() {
  ::close(descriptor_);
  if (created_ && !started_) ::unlink(path_.c_str());
}

void LiveFile::write_line(std::string_view line, std::size_t older_lines) {
  if (!std::exchange(started_, true)) {
    struct stat status {};
    const bool ordinary = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    const off_t kept = ordinary && older_lines > 0 ? length_of_lines(path_, older_lines) : 0;
    if ((::ftruncate(descriptor_, kept) != 0 && errno != EINVAL) ||
        (kept > 0 && ::lseek(descriptor_, kept, SEEK_SET) < 0))
      throw cannot_write(argument_, path_, errno);
  }
  write_all(descriptor_, std::string(line) + "\n", argument_, path_);
}

void check_all_different(const std::vector<std::pair<std::string, std::string>>& files) {
  std::error_code error;
  const auto same = [&](const std::string& a, const std::string& b) {
    if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
    if (fs::equivalent(a, b, error)) return true;
    return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (std::size_t j = i + 1; j < files.size(); ++j) {
      if (files[i].second.empty() || files[j].second.empty() || !same(files[i].second, files[j].second))
        continue;
      throw usage_error(files[j].first + ": '" + files[j].second + "' is also " + files[i].first);
    }
  }
}

void remove_temporaries() noexcept {
  for (auto& path : registered_temporaries) {
    if (const char* name = path.load()) ::unlink(name);
  }
}

}  // namespace induce::cli
