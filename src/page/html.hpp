// Texts of a page. A name may contain anything: markup, bytes that are not UTF-8, control characters, 10,000 letters.
//
// Every name goes through one of these functions, so it is shown as text wherever it appears: `escape` cleans it (text/utf8.hpp),
// `shown_name` also isolates its direction (<bdi>) and shortens it, with more of it as the title.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "svg/elements.hpp"
#include "text/utf8.hpp"

namespace induce::detail {

using svg::escape;

std::string shown_name(std::string_view text, std::size_t letters = longest_name);

// <table> with a caption and a header of columns; the first cell of a row is its header. Cells are markup.
struct HtmlTable {
  std::string caption;  // a text
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
std::string to_html(const HtmlTable& table);
// The same behind a summary that opens it.
std::string folded(std::string_view summary, const std::string& markup);

// Text that is safe between <script> and </script>: JSON without <, > and &.
std::string for_script(std::string_view json);

inline constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
std::string base64(std::string_view bytes);

}  // namespace induce::detail
