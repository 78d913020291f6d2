// See source.hpp.
#include "read/source.hpp"

#include <filesystem>
#include <utility>

#include <induce/error.hpp>

#include "file/decoders.hpp"
#include "machine/memory.hpp"

namespace induce::detail {
namespace {

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

}  // namespace

class KeptStream {
 public:
  KeptStream(const Source& source, bool twice)
      : name_(source.name()), stream_(open_source(source)), readers_left_(twice ? 2 : -1) {}

  // The reader before it has ended.
  static std::unique_ptr<ByteStream> open(std::shared_ptr<KeptStream> kept) {
    --kept->readers_left_;
    return std::make_unique<Reader>(std::move(kept));
  }

 private:
  class Reader : public ByteStream {
   public:
    explicit Reader(std::shared_ptr<KeptStream> from) : from_(std::move(from)) {}
    std::size_t read(char* to, std::size_t most) override {
      const std::size_t count = from_->read(at_, to, most);
      at_ += count;
      return count;
    }

   private:
    std::shared_ptr<KeptStream> from_;
    std::size_t at_ = 0;
  };

  std::size_t read(std::size_t at, char* to, std::size_t most) {
    if (at < text_.size()) return text_.copy(to, most, at);
    const std::size_t count = stream_->read(to, most);
    if (readers_left_ != 0) keep({to, count});
    return count;
  }

  void keep(std::string_view more) {
    constexpr std::size_t always = std::size_t{64} << 20;
    const std::size_t needed = 2 * text_.capacity();
    if (text_.size() + more.size() > text_.capacity() && needed > always)
      if (const double available = available_memory().least(); static_cast<double>(needed) > available)
        throw data_error(name_ + ": reading it needs more than " + memory_text(static_cast<double>(needed)) +
                         " of memory, only " + memory_text(available) + " available");
    text_ += more;
  }

  std::string name_;
  std::unique_ptr<ByteStream> stream_;
  std::string text_;
  int readers_left_;  // 0: nobody will open it again
};

namespace {

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
  if (source.kept) return KeptStream::open(source.kept);
  const std::string name = source.name();
  std::unique_ptr<ByteStream> all;
  if (source.held) {
    all = std::make_unique<TextStream>(source.text);
  } else {
    all = open_file(source.path);
    std::string start = read_until(*all, [](std::string_view text) { return text.size() >= 6; });
    refuse_other_formats(start, name);
    all = decompressed(after(std::move(start), std::move(all)), name);
  }
  return as_utf8(std::move(all), source.encoding, name);
}

void keep_text(Source& source, bool twice) {
  if (!opens_again(source)) source.kept = std::make_shared<KeptStream>(source, twice);
}

}  // namespace induce::detail
