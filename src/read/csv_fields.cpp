// See csv_fields.hpp.
#include "read/csv_fields.hpp"

#include "read/lines.hpp"

namespace induce::detail {

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

std::string text_of_placed_field(std::string_view raw, const Place& place) {
  try {
    return text_of_field(raw);
  } catch (ParseFault& fault) {
    fault.at = nullptr;
    fault.place = place;
    throw;
  }
}

}  // namespace induce::detail
