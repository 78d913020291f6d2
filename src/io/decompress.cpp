// See decompress.hpp. Reads all compressed bytes, then decompresses them. The loops for the three libraries
// have the same structure: feed a window of input, append a window of output, check for truncation at the
// end.
#include "io/decompress.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include <bzlib.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <induce/error.hpp>

#include "rows/memory.hpp"

namespace induce {
namespace {

constexpr std::size_t window = std::size_t{1} << 20;

Error truncated(const std::string& name, const char* kind) {
  return data_error(name + ": the " + kind + " data is truncated");
}

Error corrupt(const std::string& name, const char* kind, const std::string& detail) {
  return data_error(name + ": the " + kind + " data is corrupt (" + detail + ")");
}

// Called before a buffer grows; ignores small ones.
void require_memory_for(const std::string& name, std::size_t bytes, const std::string& action) {
  if (bytes < 64 * window) return;
  const double available = available_memory().least();
  if (static_cast<double>(bytes) > available)
    throw data_error(name + ": " + action + " needs more than " + memory_text(static_cast<double>(bytes)) +
                     " of memory, only " + memory_text(available) + " available");
}

void append(std::string& out, const char* bytes, std::size_t count, const std::string& name) {
  if (out.capacity() - out.size() < count) require_memory_for(name, 2 * out.capacity(), "decompressing it");
  out.append(bytes, count);
}

// True if a compressed member is followed only by zero padding, which tape and disk images add.
bool only_zeros(std::string_view rest) { return rest.find_first_not_of('\0') == std::string_view::npos; }

std::string gunzip(std::string_view in, const std::string& name) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw data_error(name + ": cannot initialize zlib");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  const auto buffer = std::make_unique<char[]>(window);
  std::string out;
  for (;;) {
    const auto offered = static_cast<uInt>(std::min(in.size(), window));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream.avail_in = offered;
    stream.next_out = reinterpret_cast<Bytef*>(buffer.get());
    stream.avail_out = static_cast<uInt>(window);
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      throw corrupt(name, "gzip", stream.msg ? stream.msg : "zlib status " + std::to_string(status));
    append(out, buffer.get(), window - stream.avail_out, name);
    in.remove_prefix(offered - stream.avail_in);
    if (status == Z_STREAM_END) {
      if (only_zeros(in)) return out;
      inflateReset(&stream);  // another member follows
    } else if (in.empty() && stream.avail_out > 0) {
      throw truncated(name, "gzip");
    }
  }
}

std::string bunzip2(std::string_view in, const std::string& name) {
  std::string out;
  const auto buffer = std::make_unique<char[]>(window);
  while (!only_zeros(in)) {  // one iteration per member
    bz_stream stream{};
    if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw data_error(name + ": cannot initialize bzip2");
    const std::unique_ptr<bz_stream, int (*)(bz_stream*)> guard(&stream, BZ2_bzDecompressEnd);
    int status = BZ_OK;
    while (status != BZ_STREAM_END) {
      const auto offered = static_cast<unsigned>(std::min(in.size(), window));
      stream.next_in = const_cast<char*>(in.data());
      stream.avail_in = offered;
      stream.next_out = buffer.get();
      stream.avail_out = static_cast<unsigned>(window);
      status = BZ2_bzDecompress(&stream);
      if (status == BZ_MEM_ERROR) throw std::bad_alloc();
      if (status != BZ_OK && status != BZ_STREAM_END)
        throw corrupt(name, "bzip2", "bzip2 status " + std::to_string(status));
      append(out, buffer.get(), window - stream.avail_out, name);
      in.remove_prefix(offered - stream.avail_in);
      if (status == BZ_OK && in.empty() && stream.avail_out > 0) throw truncated(name, "bzip2");
    }
  }
  return out;
}

std::string unxz(std::string_view in, const std::string& name) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
    throw data_error(name + ": cannot initialize liblzma");
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> guard(&stream, lzma_end);
  const auto buffer = std::make_unique<char[]>(window);
  std::string out;
  stream.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
  stream.avail_in = in.size();
  for (lzma_ret status = LZMA_OK; status != LZMA_STREAM_END;) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(buffer.get());
    stream.avail_out = window;
    status = lzma_code(&stream, LZMA_FINISH);
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (status == LZMA_BUF_ERROR) throw truncated(name, "xz");
    if (status != LZMA_OK && status != LZMA_STREAM_END)
      throw corrupt(name, "xz", "liblzma status " + std::to_string(status));
    append(out, buffer.get(), window - stream.avail_out, name);
  }
  return out;
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : owned_(path != "-"), number_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
    if (number_ < 0) throw data_error(name_of_file(path) + " cannot be opened: " + std::strerror(errno));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned_) ::close(number_);
  }
  int number() const { return number_; }

 private:
  bool owned_;
  int number_;
};

// A file written while being read could yield half of each version. Pipes are exempt.
bool has_changed(int descriptor, const struct stat& before) {
  struct stat now {};
  if (!S_ISREG(before.st_mode) || ::fstat(descriptor, &now) != 0) return false;
  return now.st_size != before.st_size || now.st_mtim.tv_sec != before.st_mtim.tv_sec ||
         now.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
}

std::string raw_bytes(const std::string& path) {
  const Descriptor file(path);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0)
    throw data_error(name_of_file(path) + " cannot be examined: " + std::strerror(errno));
  if (S_ISDIR(status.st_mode)) throw data_error(name_of_file(path) + " is a directory, not a data file");
  // One byte more than the size, so that a regular file reaches its end without growing the buffer.
  const std::size_t size = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : window;
  require_memory_for(name_of_file(path), size, "reading it");
  std::string bytes(size, '\0');
  std::size_t used = 0;
  for (;;) {
    if (used == bytes.size()) {
      require_memory_for(name_of_file(path), 2 * bytes.size(), "reading it");
      bytes.resize(2 * bytes.size());
    }
    const ssize_t got = ::read(file.number(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw data_error(name_of_file(path) + " cannot be read: " + std::strerror(errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  if (has_changed(file.number(), status))
    throw data_error(name_of_file(path) + " changed while being read; none of it was used");
  bytes.resize(used);
  return bytes;
}

}  // namespace

std::string name_of_file(const std::string& path) {
  return path == "-" ? "standard input" : "'" + path + "'";
}

std::string file_bytes(const std::string& path) {
  using namespace std::string_view_literals;
  std::string bytes = raw_bytes(path);
  const std::string name = name_of_file(path);
  const std::string_view start = bytes;
  if (start.starts_with("\x1f\x8b"sv)) return gunzip(bytes, name);
  if (start.starts_with("BZh"sv) && start.size() > 3 && start[3] >= '1' && start[3] <= '9')
    return bunzip2(bytes, name);
  if (start.starts_with("\xfd\x37zXZ\0"sv)) return unxz(bytes, name);
  if (start.starts_with("PK\x03\x04"sv) || start.starts_with("\x28\xb5\x2f\xfd"sv))
    throw data_error(name + " is a zip or zstd archive; only plain text, gzip, bzip2 and xz are supported");
  for (const auto& [magic, kind] :
       {std::pair{"PAR1"sv, "a Parquet"}, {"ARROW1"sv, "an Arrow"}, {"FEA1"sv, "a Feather"}})
    if (start.starts_with(magic))
      throw data_error(
          name + " is " + kind +
          " file; induce reads CSV and LIBSVM: convert it, or pip install 'induce[tables]' and run "
          "the induce command of that package");
  return bytes;
}

}  // namespace induce
