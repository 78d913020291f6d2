#include "page/html.hpp"

#include <cstdint>

namespace induce::detail {

std::string shown_name(std::string_view text, std::size_t letters) {
  const std::string shown = brief(text, letters), title = brief(text, longest_title);
  if (shown == title) return "<bdi>" + escape(shown) + "</bdi>";
  return "<bdi title=\"" + escape(title) + "\">" + escape(shown) + "</bdi>";
}

std::string to_html(const HtmlTable& table) {
  std::string out = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                    escape(table.caption) + "\"><table" + (table.header.size() > 4 ? " class=\"wide\"" : "") +
                    "><caption>" + escape(table.caption) + "</caption><thead><tr>";
  for (const std::string& cell : table.header) out += "<th scope=\"col\">" + cell + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += "<tr>";
    for (std::size_t k = 0; k < row.size(); ++k)
      out += k == 0 ? "<th scope=\"row\">" + row[k] + "</th>" : "<td>" + row[k] + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string folded(std::string_view summary, const std::string& markup) {
  return "<details><summary>" + escape(summary) + "</summary>\n" + markup + "</details>\n";
}

std::string for_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? base64_digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace induce::detail
