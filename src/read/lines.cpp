// See lines.hpp.
#include "read/lines.hpp"

#include "file/text_encoding.hpp"

namespace induce::detail {
void refuse(std::string what, Fault fault, std::optional<Place> place) {
  throw ParseFault{nullptr, std::move(what), fault, place};
}

std::size_t count_of(char c, std::string_view text) {
  std::size_t sum = 0;
  while (!text.empty()) {
    const std::string_view some = text.substr(0, 255);  // as many as a byte can count: many are added at once
    std::uint8_t count = 0;
    for (const char each : some) count = static_cast<std::uint8_t>(count + (each == c ? 1 : 0));
    sum += count;
    text.remove_prefix(some.size());
  }
  return sum;
}

Place place_in(std::string_view text, const Place& start, std::size_t offset) {
  return {start.file, start.offset + offset, start.line + count_of('\n', text.substr(0, offset))};
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

std::string_view take_record(std::string_view& text, char delimiter, bool quoted) {
  if (!quoted) return take_line(text);
  const char* begin = text.data();
  const char* end = begin + text.size();
  const char* p = end_of_field(begin, end, delimiter);
  while (p != end && *p != '\n') p = end_of_field(p + 1, end, delimiter);
  text.remove_prefix(static_cast<std::size_t>(p - begin) + (p != end ? 1 : 0));
  return {begin, static_cast<std::size_t>(p - begin)};
}

std::vector<std::string_view> raw_fields(std::string_view record, char delimiter) {
  std::vector<std::string_view> fields;
  const char* p = record.data();
  const char* end = p + record.size();
  for (;;) {
    const char* stop = end_of_field(p, end, delimiter);
    fields.emplace_back(p, static_cast<std::size_t>(stop - p));
    if (stop == end) return fields;
    p = stop + 1;
  }
}

std::string text_of_field(std::string_view raw) {
  raw = trimmed(raw);
  if (raw.empty() || raw.front() != '"') return std::string(raw);
  std::string text;
  for (std::size_t i = 1; i < raw.size(); ++i) {
    if (raw[i] != '"') {
      text += raw[i];
    } else if (i + 1 < raw.size() && raw[i + 1] == '"') {
      text += '"';
      ++i;
    } else if (i + 1 == raw.size()) {
      return text;
    } else {
      throw ParseFault{raw.data(), "there is text after the closing quote of the field " + in_quotes(raw)};
    }
  }
  throw ParseFault{raw.data(), "the quote that opens the field " + in_quotes(raw) + " is never closed"};
}

}  // namespace induce::detail
