// See source.hpp. The first bytes are read at once: they say how a file is compressed, and go before the others.
#include "read/source.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <induce/error.hpp>

#include "file/decoders.hpp"
#include "read/text_encoding.hpp"
#include "machine/memory.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t magic_bytes = 8;

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

// Keeps what the first reader reads, for the second.
}  // namespace

class OnceStream {
 public:
  explicit OnceStream(const Source& source) : stream_(open_source(source)) {}

  std::unique_ptr<ByteStream> open() {
    if (opened_++ == 0) return std::make_unique<First>(*this);
    return after(std::move(kept_), std::move(stream_));
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

bool opens_again(const Source& source) {
  std::error_code unknown;  // without opening a pipe, whose writer would notice
  return source.held || (source.path != "-" && std::filesystem::is_regular_file(source.path, unknown));
}

std::unique_ptr<ByteStream> open_source(const Source& source) {
  if (source.once) return source.once->open();
  const std::string name = source.name();
  std::unique_ptr<ByteStream> all;
  if (source.held) {
    all = std::make_unique<TextStream>(source.text);
  } else {
    all = open_file(source.path);
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
  if (!opens_again(source)) source.once = std::make_shared<OnceStream>(source);
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

}  // namespace induce::detail
