#include "output.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <induce/error.hpp>

namespace induce::cli {
namespace fs = std::filesystem;
namespace {

Error cannot_write(const std::string& argument, const fs::path& path, int error) {
  return data_error(argument + ": " + path.string() + ": cannot be written: " + std::strerror(error));
}

void write_all(int descriptor, std::string_view text, const std::string& argument, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw cannot_write(argument, path, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

const std::string& not_empty(const std::string& argument, const std::string& path) {
  if (path.empty()) throw usage_error(argument + ": the file name is empty");
  return path;
}

// Bytes of the first `lines` complete lines of a file, or of all if it has fewer.
off_t length_of_lines(const std::string& argument, const std::string& path, std::size_t lines) {
  std::ifstream in(path, std::ios::binary);
  off_t length = 0;
  for (std::string line; lines > 0 && std::getline(in, line) && !in.eof(); --lines)
    length += static_cast<off_t>(line.size()) + 1;
  if (!in.is_open() || in.bad())
    throw data_error(argument + ": " + path + ": its older lines cannot be read; nothing was changed");
  return length;
}

}  // namespace

OutputFile::OutputFile(const std::string& argument, const std::string& path)
    : AtomicFile(not_empty(argument, path), Special::written, argument) {}

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
    const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    const off_t kept = regular && older_lines > 0 ? length_of_lines(argument_, path_, older_lines) : 0;
    if ((::ftruncate(descriptor_, kept) != 0 && errno != EINVAL) ||
        (kept > 0 && ::lseek(descriptor_, kept, SEEK_SET) < 0))
      throw cannot_write(argument_, path_, errno);
  }
  write_all(descriptor_, std::string(line) + "\n", argument_, path_);
}

void check_all_different(const std::vector<std::string>& data,
                         const std::vector<std::pair<std::string, std::string>>& files) {
  std::error_code error;
  const auto same = [&](const std::string& a, const std::string& b) {
    if (a.empty() || b.empty() || (fs::exists(a, error) && !fs::is_regular_file(a, error))) return false;
    if (fs::equivalent(a, b, error)) return true;
    return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
  };
  const auto refuse = [](const auto& file, const std::string& other) {
    throw usage_error(file.first + ": '" + file.second + "' is also given as " + other);
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const std::string& each : data)
      if (same(each, files[i].second)) refuse(files[i], "DATA");
    for (std::size_t j = i + 1; j < files.size(); ++j)
      if (same(files[i].second, files[j].second)) refuse(files[j], files[i].first);
  }
}

}  // namespace induce::cli
