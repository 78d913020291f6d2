// See byte_stream.hpp.
#include "file/byte_stream.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <induce/error.hpp>

namespace induce::detail {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : owned_(path != "-"), number_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
    if (number_ < 0) throw data_error(name_of_file(path) + " cannot be opened: " + std::strerror(errno));
    if (::fstat(number_, &status_) != 0) {
      const int error = errno;
      if (owned_) ::close(number_);
      throw data_error(name_of_file(path) + " cannot be examined: " + std::strerror(error));
    }
    if (!S_ISDIR(status_.st_mode)) return;
    if (owned_) ::close(number_);
    throw data_error(name_of_file(path) + " is a folder, not a data file");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned_) ::close(number_);
  }

  int number() const { return number_; }
  bool is_regular() const { return S_ISREG(status_.st_mode); }

  // A file written while being read could yield half of each version. Pipes are exempt.
  bool has_changed() const {
    struct stat now {};
    if (!is_regular() || ::fstat(number_, &now) != 0) return false;
    return now.st_size != status_.st_size || now.st_mtim.tv_sec != status_.st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != status_.st_mtim.tv_nsec;
  }

 private:
  bool owned_;
  int number_;
  struct stat status_ {};
};

class FileStream : public ByteStream {
 public:
  explicit FileStream(const std::string& path) : name_(name_of_file(path)), file_(path) {
    if (file_.is_regular()) ::posix_fadvise(file_.number(), 0, 0, POSIX_FADV_SEQUENTIAL);
  }

  std::size_t read(char* to, std::size_t most) override {
    for (;;) {
      const ssize_t got = ::read(file_.number(), to, most);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw data_error(name_ + " cannot be read: " + std::strerror(errno));
      if (got == 0 && file_.has_changed())
        throw data_error(name_ + " changed while being read; none of it was used");
      return static_cast<std::size_t>(got);
    }
  }

 private:
  std::string name_;
  Descriptor file_;
};

// Some bytes, and then those of another stream.
class Before : public ByteStream {
 public:
  Before(std::string first, std::unique_ptr<ByteStream> rest)
      : first_(std::move(first)), rest_(std::move(rest)) {}
  std::size_t read(char* to, std::size_t most) override {
    if (used_ == first_.size()) return rest_->read(to, most);
    const std::size_t count = first_.copy(to, most, used_);
    used_ += count;
    return count;
  }

 private:
  std::string first_;
  std::size_t used_ = 0;
  std::unique_ptr<ByteStream> rest_;
};

}  // namespace

std::string name_of_file(const std::string& path) {
  return path == "-" ? "standard input" : "'" + path + "'";
}

std::unique_ptr<ByteStream> open_file(const std::string& path) { return std::make_unique<FileStream>(path); }

std::unique_ptr<ByteStream> after(std::string first, std::unique_ptr<ByteStream> rest) {
  return std::make_unique<Before>(std::move(first), std::move(rest));
}

}  // namespace induce::detail
