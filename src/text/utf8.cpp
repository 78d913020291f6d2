#include "text/utf8.hpp"

#include <algorithm>

namespace induce::detail {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view ellipsis = "\xE2\x80\xA6";

// The length of the UTF-8 sequence at the start of the text; 0 if there is none (also overlong forms and surrogates).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if ((first & 0xF0) == 0xE0) {
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
    return continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
    return continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

// C0 and C1 controls; of these tabs and line ends are blanks.
bool is_control(std::string_view letter) {
  const auto first = static_cast<unsigned char>(letter[0]);
  if (letter.size() == 1) return first < 0x20 || first == 0x7F;
  return letter.size() == 2 && first == 0xC2 && static_cast<unsigned char>(letter[1]) < 0xA0;
}

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string clean(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view letter = text.substr(0, length == 0 ? 1 : length);
    if (letter == "\t" || letter == "\n" || letter == "\r")
      out += ' ';
    else
      out += length == 0 || is_control(letter) ? replacement : letter;
    text.remove_prefix(letter.size());
  }
  return out;
}

std::string clean_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += clean(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string brief(std::string_view text, std::size_t letters) {
  // A letter has at most four bytes: no need to clean all of a long text.
  std::string out = clean(text.substr(0, 4 * letters + 4));
  std::size_t at = 0, count = 0, cut = 0;
  while (at < out.size()) {
    if (count + 1 == letters) cut = at;
    if (++count > letters) return out.substr(0, cut) + std::string(ellipsis);
    at += sequence_length(std::string_view(out).substr(at));
  }
  return out;
}

std::size_t letters_in(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_letter(c); }));
}

std::string shortened(const std::string& text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest - 3;
  while (end > 0 && continues_letter(text[end])) --end;
  return text.substr(0, end) + "...";
}

}  // namespace induce::detail
