// See decoders.hpp. The three libraries have the same structure: feed a window of input, take output, check for
// truncation at the end. A compressed member may be followed by others, or by zeros, which tape and disk images add.
#include "file/decoders.hpp"

#include <algorithm>
#include <cstdint>
#include <new>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>

#include <induce/error.hpp>

namespace induce::detail {
namespace {

class Decoder : public ByteStream {
 public:
  Decoder(std::unique_ptr<ByteStream> from, std::string name, const char* kind)
      : from_(std::move(from)), name_(std::move(name)), kind_(kind), window_(window_size, '\0') {}

 protected:
  // Is there input? Reads more if all was used.
  bool has_input() {
    if (left_ == 0 && !ended_) {
      left_ = from_->read(window_.data(), window_.size());
      next_ = window_.data();
      ended_ = left_ == 0;
    }
    return left_ > 0;
  }
  // Skips zeros. Is there anything else?
  bool another_member() {
    while (has_input()) {
      if (*next_ != '\0') return true;
      ++next_;
      --left_;
    }
    return false;
  }
  void use_until(const void* next, std::size_t left) {
    next_ = static_cast<char*>(const_cast<void*>(next));
    left_ = left;
  }

  Error truncated() const { return data_error(name_ + ": the " + kind_ + " data is truncated"); }
  Error corrupt(const std::string& detail) const {
    return data_error(name_ + ": the " + kind_ + " data is corrupt (" + detail + ")");
  }
  Error cannot_start(const char* library) const {
    return data_error(name_ + ": cannot initialize " + library);
  }

  char* next_ = nullptr;
  std::size_t left_ = 0;
  bool ended_ = false;

 private:
  static constexpr std::size_t window_size = std::size_t{1} << 18;
  std::unique_ptr<ByteStream> from_;
  std::string name_;
  const char* kind_;
  std::string window_;
};

class Gunzip : public Decoder {
 public:
  Gunzip(std::unique_ptr<ByteStream> from, std::string name)
      : Decoder(std::move(from), std::move(name), "gzip") {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw cannot_start("zlib");
  }
  ~Gunzip() override { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  std::size_t read(char* to, std::size_t most) override {
    most = std::min(most, std::size_t{1} << 30);
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(most);
    while (stream_.avail_out == most && !done_) {
      const bool input = has_input();
      stream_.next_in = reinterpret_cast<Bytef*>(next_);
      stream_.avail_in = static_cast<uInt>(left_);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        throw corrupt(stream_.msg ? stream_.msg : "zlib status " + std::to_string(status));
      use_until(stream_.next_in, stream_.avail_in);
      if (status == Z_STREAM_END) {
        done_ = !another_member();
        inflateReset(&stream_);
      } else if (!input && stream_.avail_out == most) {
        throw truncated();
      }
    }
    return most - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool done_ = false;
};

class Bunzip2 : public Decoder {
 public:
  Bunzip2(std::unique_ptr<ByteStream> from, std::string name)
      : Decoder(std::move(from), std::move(name), "bzip2") {
    start();
  }
  ~Bunzip2() override { BZ2_bzDecompressEnd(&stream_); }
  Bunzip2(const Bunzip2&) = delete;
  Bunzip2& operator=(const Bunzip2&) = delete;

  std::size_t read(char* to, std::size_t most) override {
    most = std::min(most, std::size_t{1} << 30);
    stream_.next_out = to;
    stream_.avail_out = static_cast<unsigned>(most);
    while (stream_.avail_out == most && !done_) {
      const bool input = has_input();
      stream_.next_in = next_;
      stream_.avail_in = static_cast<unsigned>(left_);
      const int status = BZ2_bzDecompress(&stream_);
      if (status == BZ_MEM_ERROR) throw std::bad_alloc();
      if (status != BZ_OK && status != BZ_STREAM_END) throw corrupt("bzip2 status " + std::to_string(status));
      use_until(stream_.next_in, stream_.avail_in);
      if (status == BZ_STREAM_END) {
        done_ = !another_member();
        if (!done_) {
          char* const out = stream_.next_out;
          const unsigned room = stream_.avail_out;
          BZ2_bzDecompressEnd(&stream_);
          start();
          stream_.next_out = out;
          stream_.avail_out = room;
        }
      } else if (!input && stream_.avail_out == most) {
        throw truncated();
      }
    }
    return most - stream_.avail_out;
  }

 private:
  void start() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw cannot_start("bzip2");
  }

  bz_stream stream_{};
  bool done_ = false;
};

class Unxz : public Decoder {
 public:
  Unxz(std::unique_ptr<ByteStream> from, std::string name) : Decoder(std::move(from), std::move(name), "xz") {
    if (lzma_stream_decoder(&stream_, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
      throw cannot_start("liblzma");
  }
  ~Unxz() override { lzma_end(&stream_); }
  Unxz(const Unxz&) = delete;
  Unxz& operator=(const Unxz&) = delete;

  std::size_t read(char* to, std::size_t most) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
    stream_.avail_out = most;
    while (stream_.avail_out == most && !done_) {
      const bool input = has_input();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(next_);
      stream_.avail_in = left_;
      const lzma_ret status = lzma_code(&stream_, input ? LZMA_RUN : LZMA_FINISH);
      if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
      if (status == LZMA_BUF_ERROR) throw truncated();
      if (status != LZMA_OK && status != LZMA_STREAM_END)
        throw corrupt("liblzma status " + std::to_string(status));
      use_until(stream_.next_in, stream_.avail_in);
      done_ = status == LZMA_STREAM_END;
    }
    return most - stream_.avail_out;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> decompressed(std::unique_ptr<ByteStream> from, const std::string& name) {
  using namespace std::string_view_literals;
  constexpr std::size_t magic_bytes = 6;
  std::string start = read_until(*from, [](std::string_view text) { return text.size() >= magic_bytes; });
  const bool gzip = start.starts_with("\x1f\x8b"sv), xz = start.starts_with("\xfd\x37zXZ\0"sv);
  const bool bzip2 = start.starts_with("BZh"sv) && start.size() > 3 && start[3] >= '1' && start[3] <= '9';
  from = after(std::move(start), std::move(from));
  if (gzip) return std::make_unique<Gunzip>(std::move(from), name);
  if (bzip2) return std::make_unique<Bunzip2>(std::move(from), name);
  if (xz) return std::make_unique<Unxz>(std::move(from), name);
  return from;
}

}  // namespace induce::detail
