// See lines.hpp.
#include "read/lines.hpp"

#include "file/text_encoding.hpp"

namespace induce {
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
  constexpr std::string_view digits = "0123456789ABCDEF";
  const std::size_t at = utf8_bytes(text);
  if (at == text.size()) return;
  const auto byte = static_cast<unsigned char>(text[at]);
  throw ParseFault{text.data() + at,
                   "the byte 0x" + std::string{digits[byte >> 4], digits[byte & 15]} +
                       " is not UTF-8; if the text is Latin-1 or Windows-1252, use --encoding latin-1"};
}

}  // namespace induce
