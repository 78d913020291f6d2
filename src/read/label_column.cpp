// See label_column.hpp.
#include "read/label_column.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "read/csv_fields.hpp"
#include "read/csv_layout.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"

namespace induce::detail {
namespace {

constexpr std::size_t most_rows = 1000;  // that are looked at to list columns

struct Candidate {
  std::size_t column;
  std::unordered_set<std::string_view> values;
};

// The columns with at least two values in the first rows, and few enough for classes, fewest first. Returns their number of rows.
std::size_t count_values(const CsvLayout& layout, std::string_view text, std::vector<Candidate>& candidates) {
  std::size_t rows = 0;
  while (!text.empty() && rows < most_rows) {
    const std::string_view record = take_record(text, layout.delimiter, true);
    const auto fields = raw_fields(record, layout.delimiter);
    if (!is_row(record, layout.delimiter) || fields.size() != layout.columns()) continue;
    ++rows;
    for (Candidate& each : candidates)
      if (const auto value = trimmed(fields[each.column]); !is_missing_value(value))
        each.values.insert(value);
  }
  const auto keep = [&](auto test) {
    if (std::any_of(candidates.begin(), candidates.end(), test))
      std::erase_if(candidates, [&](const Candidate& each) { return !test(each); });
  };
  keep([](const Candidate& each) { return each.values.size() >= 2; });
  keep([&](const Candidate& each) { return 2 * each.values.size() <= rows; });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.values.size() < b.values.size(); });
  return rows;
}

// For a shell.
std::string word(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return plain && !text.empty() ? text : '"' + text + '"';
}

}  // namespace

bool is_usual_label_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> usual{"label", "target", "class", "y", "outcome"};
  return std::any_of(usual.begin(), usual.end(), [&](auto each) { return equal_ignoring_case(name, each); });
}

std::optional<std::size_t> usual_label(const CsvLayout& layout, const std::vector<std::size_t>& columns) {
  std::optional<std::size_t> found;
  for (const std::size_t column : columns) {
    if (!is_usual_label_name(layout.header[column])) continue;
    if (found) return std::nullopt;
    found = column;
  }
  return found;
}

void ask_for_label(const CsvLayout& layout, const std::vector<std::size_t>& columns, std::string_view rows,
                   const std::string& command) {
  constexpr std::size_t shown = 10;
  std::vector<Candidate> candidates;
  for (const std::size_t column : columns)
    if (is_usual_label_name(layout.header[column])) candidates.push_back({column, {}});
  const bool several = !candidates.empty();
  if (!several)
    for (const std::size_t column : columns) candidates.push_back({column, {}});
  const std::size_t count = count_values(layout, rows, candidates);
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, candidates.size()); ++i)
    list += (i ? ", " : "") + in_quotes(layout.header[candidates[i].column]) + " (" +
            std::to_string(candidates[i].values.size()) + ")";
  if (candidates.size() > shown) list += ", ... (" + std::to_string(candidates.size()) + " columns in total)";
  throw ParseFault{
      nullptr,
      std::string("which column is the label? ") + (several ? "Several are" : "None is") +
          " called label, target, class, y or outcome. Columns that could be it, with the number "
          "of their values" +
          (count == most_rows ? " in the first " + std::to_string(count) + " rows: " : ": ") + list +
          ". Name it: " + command + (command.empty() ? "" : " ") + "--label " +
          word(candidates.empty() ? "NAME" : layout.header[candidates.front().column]),
      Fault::usage};
}

}  // namespace induce::detail
