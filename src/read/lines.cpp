// See lines.hpp.
#include "read/lines.hpp"

namespace induce {
namespace {

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

}  // namespace

void refuse(std::string what, Fault fault, std::optional<Place> place) {
  throw ParseFault{nullptr, std::move(what), fault, place};
}

std::size_t count_newlines(std::string_view text) {
  std::size_t sum = 0;
  while (!text.empty()) {
    const std::string_view some =
        text.substr(0, 255);  // as many as a byte can count: many bytes are added at once
    std::uint8_t count = 0;
    for (const char c : some) count = static_cast<std::uint8_t>(count + (c == '\n' ? 1 : 0));
    sum += count;
    text.remove_prefix(some.size());
  }
  return sum;
}

Place place_in(std::string_view text, const Place& start, std::size_t offset) {
  return {start.file, start.offset + offset, start.line + count_newlines(text.substr(0, offset))};
}

ParseFault placed(ParseFault fault, std::string_view text, const Place& start) {
  if (!fault.place)
    fault.place = place_in(text, start, fault.at ? static_cast<std::size_t>(fault.at - text.data()) : 0);
  fault.at = nullptr;
  return fault;
}

void check_utf8(std::string_view text) {
  constexpr std::size_t together = 256;
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view some = text.substr(at, together);
    unsigned char any = 0;
    for (const char c : some) any |= static_cast<unsigned char>(c);
    if (any < 0x80) {
      at += some.size();
      continue;
    }
    for (const std::size_t end = at + some.size(); at < end;) {
      const std::size_t length = utf8_length(text.substr(at));
      const auto byte = static_cast<unsigned char>(text[at]);
      if (length == 0)
        throw ParseFault{text.data() + at,
                         "the byte 0x" + std::string{digits[byte >> 4], digits[byte & 15]} +
                             " is not UTF-8; if the text is Latin-1 or Windows-1252, use "
                             "--encoding latin-1",
                         Fault::data};
      at += length;
    }
  }
}

}  // namespace induce
