// See text_encoding.hpp.
#include "file/text_encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include <induce/error.hpp>

namespace induce::detail {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t start_bytes = std::size_t{1} << 16;  // tell how lines end

void append_utf8(std::string& to, std::uint32_t code) {
  const auto add = [&](std::uint32_t bits) { to += static_cast<char>(bits); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      add(0xe0 | code >> 12);
    } else {
      add(0xf0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3f));
    }
    add(0x80 | (code >> 6 & 0x3f));
  }
  add(0x80 | (code & 0x3f));
}

// A stream that is converted window by window.
class Recoded : public ByteStream {
 public:
  using Convert = std::function<void(std::string_view window, std::string& out)>;  // an empty window: the end

  Recoded(std::unique_ptr<ByteStream> from, Convert convert)
      : from_(std::move(from)), convert_(std::move(convert)), window_(1 << 16, '\0') {}

  std::size_t read(char* to, std::size_t most) final {
    while (used_ == out_.size() && !ended_) {
      out_.clear();
      used_ = 0;
      const std::size_t got = from_->read(window_.data(), window_.size());
      ended_ = got == 0;
      convert_(std::string_view(window_).substr(0, got), out_);
    }
    const std::size_t count = out_.copy(to, most, used_);
    used_ += count;
    return count;
  }

 private:
  std::unique_ptr<ByteStream> from_;
  Convert convert_;
  std::string window_, out_;
  std::size_t used_ = 0;
  bool ended_ = false;
};

void convert_latin1(std::string_view window, std::string& out) {
  // Windows-1252 from 0x80 on; 0: not used.
  constexpr std::array<std::uint16_t, 32> windows{
      0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
      0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
      0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};
  for (const char c : window) {
    const auto byte = static_cast<unsigned char>(c);
    const bool special = byte >= 0x80 && byte < 0xa0 && windows[byte - 0x80] != 0;
    append_utf8(out, special ? windows[byte - 0x80] : byte);
  }
}

void convert_newlines(std::string_view window, std::string& out) {
  out = window;
  std::replace(out.begin(), out.end(), '\r', '\n');
}

class Utf16 {
 public:
  Utf16(bool big_endian, std::string name) : big_(big_endian), name_(std::move(name)) {}

  void operator()(std::string_view window, std::string& out) {
    rest_ += window;
    std::size_t used = 0;
    const auto unit_at = [&](std::size_t at) {
      const auto first = static_cast<unsigned char>(rest_[at]),
                 second = static_cast<unsigned char>(rest_[at + 1]);
      return static_cast<std::uint32_t>(big_ ? first << 8 | second : second << 8 | first);
    };
    while (used + 2 <= rest_.size()) {
      const std::uint32_t unit = unit_at(used);
      const bool high = unit >= 0xd800 && unit < 0xdc00;
      if (high && used + 4 > rest_.size()) break;
      const std::uint32_t low = high ? unit_at(used + 2) : 0;
      if (high ? low < 0xdc00 || low > 0xdfff : unit >= 0xdc00 && unit <= 0xdfff) refuse_byte(used);
      append_utf8(out, high ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : unit);
      used += high ? 4 : 2;
    }
    if (window.empty() && used < rest_.size()) refuse_byte(used);
    rest_.erase(0, used);
    before_ += used;
  }

 private:
  [[noreturn]] void refuse_byte(std::size_t at) const {
    throw data_error(name_ + ": byte " + std::to_string(before_ + at) + " is not UTF-16");
  }

  bool big_;
  std::string name_, rest_;
  std::uint64_t before_ = 0;
};

// The length of the UTF-8 sequence at the front; 0 if there is none (Unicode standard, table 3-7).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4) return 0;
  const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < least || byte(1) > most) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return length;
}

enum class Utf16Order { none, little, big };

Utf16Order utf16_order(std::string_view start, TextEncoding encoding) {
  const auto zeros_at = [&](std::size_t first) {
    return start.size() >= 4 && start[first] == '\0' && start[first + 2] == '\0' && start[1 - first] != '\0';
  };
  if (start.starts_with("\xfe\xff"sv) || zeros_at(0)) return Utf16Order::big;
  const bool little = start.starts_with("\xff\xfe"sv) || zeros_at(1) || encoding == TextEncoding::utf16;
  return little ? Utf16Order::little : Utf16Order::none;
}

// Is the first line ended by a CR alone? "\r\r\n" is a line end that was converted twice.
bool has_cr_lines(std::string_view start) {
  const std::size_t end = start.find_first_of("\r\n");
  return end != std::string_view::npos && end + 1 < start.size() && start[end] == '\r' &&
         start[end + 1] != '\n' && start[end + 1] != '\r';
}

}  // namespace

std::unique_ptr<ByteStream> as_utf8(std::unique_ptr<ByteStream> from, TextEncoding encoding,
                                    const std::string& name) {
  if (encoding == TextEncoding::latin1) {
    from = std::make_unique<Recoded>(std::move(from), convert_latin1);
  } else {
    std::string start = read_until(*from, [](std::string_view text) { return text.size() >= 4; });
    const Utf16Order order = utf16_order(start, encoding);
    from = after(std::move(start), std::move(from));
    if (order != Utf16Order::none && encoding == TextEncoding::utf8)
      throw data_error(
          name + ": the text is not UTF-8: its first bytes are those of UTF-16; use the encoding utf-16");
    if (order != Utf16Order::none)
      from = std::make_unique<Recoded>(std::move(from), Utf16(order == Utf16Order::big, name));
  }
  std::string start = read_until(*from, [](std::string_view text) {
    const std::size_t end = text.find_first_of("\r\n");
    return text.size() >= start_bytes ||
           (end != std::string_view::npos && (text[end] == '\n' || end + 1 < text.size()));
  });
  const bool cr = has_cr_lines(std::string_view(start).substr(0, start_bytes));
  from = after(std::move(start), std::move(from));
  if (cr) from = std::make_unique<Recoded>(std::move(from), convert_newlines);
  return from;
}

std::size_t utf8_bytes(std::string_view text) {
  constexpr std::size_t together = 256;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view some = text.substr(at, together);
    unsigned char any = 0;
    for (const char c : some) any |= static_cast<unsigned char>(c);
    if (any < 0x80) {
      at += some.size();
      continue;
    }
    for (const std::size_t end = at + some.size(); at < end;) {
      const std::size_t length = utf8_length(text.substr(at));
      if (length == 0) return at;
      at += length;
    }
  }
  return at;
}

}  // namespace induce::detail
