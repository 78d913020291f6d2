// See column_names.hpp.
#include "read/column_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

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

std::optional<std::size_t> position_of(const Fields& fields, std::string_view name) {
  const auto found = std::find(fields.begin(), fields.end(), name);
  if (found == fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields.begin());
}

std::optional<long> as_integer(std::string_view text) {
  long value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string list_of(const Fields& names) {
  constexpr std::size_t shown = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
    list += (i ? ", " : "") + in_quotes(names[i]);
  if (names.size() > shown) list += ", ... (" + std::to_string(names.size()) + " in total)";
  return list;
}

std::size_t column_at(long index, std::size_t columns, const std::string& what) {
  const long count = static_cast<long>(columns);
  if (index < -count || index >= count)
    refuse("the " + what + " column " + std::to_string(index) + " does not exist: the table has " +
               std::to_string(columns) + " columns, so the index must be from " + std::to_string(-count) +
               " to " + std::to_string(count - 1),
           Fault::usage);
  return static_cast<std::size_t>(index < 0 ? index + count : index);
}

void refuse_equal_names(const Fields& header, const std::vector<bool>& taken) {
  std::unordered_set<std::string_view> names;
  for (std::size_t column = 0; column < header.size(); ++column)
    if (!header[column].empty() && !taken[column] && !names.insert(header[column]).second)
      refuse("two columns are called " + in_quotes(header[column]) + "; names must differ");
}

void refuse_name(const std::string& name, const Fields& header, const std::string& what) {
  refuse((what.empty() ? "" : what + ": ") + "there is no column named " + in_quotes(name) +
             (header.empty() ? ": the file has no header" : "; the columns are " + list_of(header)),
         Fault::usage);
}

std::vector<std::size_t> columns_of(const Fields& given, const Fields* header, std::size_t columns,
                                    const std::string& what) {
  std::vector<std::size_t> found;
  for (const std::string& name : given) {
    if (const auto column = header ? position_of(*header, name) : std::nullopt)
      found.push_back(*column);
    else if (const auto index = as_integer(name))
      found.push_back(column_at(*index, columns, what));
    else if (header)
      refuse_name(name, *header, what);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_usual_label_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> usual{"label", "target", "class", "y", "outcome"};
  return std::any_of(usual.begin(), usual.end(), [&](auto each) { return equal_ignoring_case(name, each); });
}

std::optional<std::size_t> usual_label(const Fields& header, const std::vector<std::size_t>& columns) {
  std::optional<std::size_t> found;
  for (const std::size_t column : columns) {
    if (!is_usual_label_name(header[column])) continue;
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
