// See lines.hpp.
#include "read/lines.hpp"

namespace induce {

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

}  // namespace induce
