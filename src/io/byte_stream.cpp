// See byte_stream.hpp. The first bytes are read at once: they say how a file is compressed, and go before the others.
#include "io/byte_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <induce/error.hpp>

#include "io/decoders.hpp"
#include "io/text_encoding.hpp"
#include "rows/memory.hpp"

namespace induce {
namespace {

constexpr std::size_t magic_bytes = 8;

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
  std::uint64_t size() const { return is_regular() ? static_cast<std::uint64_t>(status_.st_size) : 0; }

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
  FileStream(const std::string& path, std::uint64_t begin) : name_(name_of_file(path)), file_(path) {
    if (begin > 0 && ::lseek(file_.number(), static_cast<off_t>(begin), SEEK_SET) < 0)
      throw data_error(name_ + " cannot be read: " + std::strerror(errno));
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

class TextStream : public ByteStream {
 public:
  explicit TextStream(std::string_view text) : text_(text) {}
  std::size_t read(char* to, std::size_t most) override {
    const std::size_t count = text_.copy(to, most);
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
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

// Keeps what the first reader reads, for the second.
class OnceStream {
 public:
  explicit OnceStream(const Source& source) : stream_(open_source(source)) {}

  std::unique_ptr<ByteStream> open() {
    if (opened_++ == 0) return std::make_unique<First>(*this);
    return std::make_unique<Before>(std::move(kept_), std::move(stream_));
  }

 private:
  class First : public ByteStream {
   public:
    explicit First(OnceStream& from) : from_(from) {}
    std::size_t read(char* to, std::size_t most) override {
      const std::size_t count = from_.stream_->read(to, most);
      from_.kept_.append(to, count);
      return count;
    }

   private:
    OnceStream& from_;
  };

  std::unique_ptr<ByteStream> stream_;
  std::string kept_;
  int opened_ = 0;
};

namespace {

enum class Packing { none, gzip, bzip2, xz };

Packing packing_of(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.starts_with("\x1f\x8b"sv)) return Packing::gzip;
  if (start.starts_with("BZh"sv) && start.size() > 3 && start[3] >= '1' && start[3] <= '9')
    return Packing::bzip2;
  return start.starts_with("\xfd\x37zXZ\0"sv) ? Packing::xz : Packing::none;
}

void refuse_other_formats(std::string_view start, const std::string& name) {
  using namespace std::string_view_literals;
  if (start.starts_with("PK\x03\x04"sv) || start.starts_with("\x28\xb5\x2f\xfd"sv))
    throw data_error(name + " is a zip or zstd archive; only plain text, gzip, bzip2 and xz are supported");
  for (const auto& [magic, kind] :
       {std::pair{"PAR1"sv, "a Parquet"}, {"ARROW1"sv, "an Arrow"}, {"FEA1"sv, "a Feather"}})
    if (start.starts_with(magic))
      throw data_error(
          name + " is " + kind +
          " file; induce reads CSV and LIBSVM: convert it, or pip install 'induce[tables]' and run "
          "the induce command of that package");
}

}  // namespace

std::unique_ptr<ByteStream> after(std::string first, std::unique_ptr<ByteStream> rest) {
  return std::make_unique<Before>(std::move(first), std::move(rest));
}

std::string name_of_file(const std::string& path) {
  return path == "-" ? "standard input" : "'" + path + "'";
}

SourceFacts facts_of(const Source& source) {
  if (source.held)
    return {true, !needs_recoding(source.text.substr(0, start_bytes), source.encoding), source.text.size()};
  struct stat status {};  // without opening a pipe, whose writer would notice
  if (source.path == "-" || ::stat(source.path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return {false, false, 0};
  const Descriptor file(source.path);
  std::string start(start_bytes, '\0');
  const ssize_t got = ::pread(file.number(), start.data(), start.size(), 0);
  start.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  const bool plain = packing_of(start) == Packing::none && !needs_recoding(start, source.encoding);
  return {true, plain, file.size()};
}

std::unique_ptr<ByteStream> open_source(const Source& source, std::uint64_t begin) {
  if (source.once) return source.once->open();
  const std::string name = source.name();
  std::unique_ptr<ByteStream> all;
  if (source.held)
    all = std::make_unique<TextStream>(source.text.substr(begin));
  else
    all = std::make_unique<FileStream>(source.path, begin);
  if (begin > 0) return all;
  if (!source.held) {
    std::string start = read_until(*all, [](std::string_view text) { return text.size() >= magic_bytes; });
    const Packing packing = packing_of(start);
    if (packing == Packing::none) refuse_other_formats(start, name);
    all = after(std::move(start), std::move(all));
    if (packing == Packing::gzip) all = gunzip(std::move(all), name);
    if (packing == Packing::bzip2) all = bunzip2(std::move(all), name);
    if (packing == Packing::xz) all = unxz(std::move(all), name);
  }
  return as_utf8(std::move(all), source.encoding, name);
}

void read_twice(Source& source) {
  if (!source.held && !facts_of(source).again) source.once = std::make_shared<OnceStream>(source);
}

std::string all_bytes(const Source& source) {
  const std::unique_ptr<ByteStream> stream = open_source(source);
  constexpr std::size_t window = std::size_t{1} << 20;
  std::string bytes;
  std::size_t used = 0;
  for (;;) {
    if (bytes.size() - used < window) {
      const std::size_t size = std::max(2 * bytes.size(), 2 * window);
      const double available = size < 64 * window ? static_cast<double>(size) : available_memory().least();
      if (static_cast<double>(size) > available)
        throw data_error(source.name() + ": reading it needs more than " +
                         memory_text(static_cast<double>(size)) + " of memory, only " +
                         memory_text(available) + " available");
      bytes.resize(size);
    }
    const std::size_t got = stream->read(bytes.data() + used, bytes.size() - used);
    if (got == 0) break;
    used += got;
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace induce
