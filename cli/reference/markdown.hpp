// Markdown tables, and the parts of docs/reference.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace induce::cli {

// Escapes bars and newlines, which would end a cell.
inline std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c == '\n' ? ' ' : c);
  return out;
}

inline std::string code(std::string_view text) { return text.empty() ? "" : "`" + std::string(text) + "`"; }

inline std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& each : cells) line += " " + cell(each) + " |";
  return line + "\n";
}

inline std::string header(const std::vector<std::string>& titles) {
  return row(titles) + row(std::vector<std::string>(titles.size(), "---"));
}

std::string options_text();   // the option table
std::string commands_text();  // further options of each command
std::string fields_text();    // results

}  // namespace induce::cli
