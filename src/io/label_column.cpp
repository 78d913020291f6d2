// See label_column.hpp.
#include "io/label_column.hpp"

#include <algorithm>
#include <cmath>

#include "io/csv_fields.hpp"
#include "io/dates.hpp"
#include "io/labels.hpp"
#include "io/levels.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"

namespace induce {
namespace {

constexpr std::size_t most_classes = 1000;

struct Values {
  std::vector<std::string> different;  // in canonical form
  std::size_t cells = 0;               // that are not missing
  bool numbers = true, integers = true, dates = true;
  bool more = false;  // not all of them are known
};

Values values_of(const PlacedTexts& labels, bool more) {
  Values values;
  values.more = more;
  std::vector<std::string> spellings;
  for (const PlacedTexts::Entry& entry : labels.entries()) {
    const std::string& text = spellings.emplace_back(text_of_placed_field(entry.text, entry.first));
    const std::string_view token = trimmed(text);
    if (is_missing_value(token)) continue;
    double number = 0;
    values.cells += entry.count;
    values.numbers = values.numbers && is_number(token, number);
    values.integers = values.integers && values.numbers && number == std::floor(number);
    values.dates = values.dates && is_date(token);
  }
  values.different = find_levels(spellings).levels;
  return values;
}

// Why these cannot be labels; empty if they can.
std::string objection(const Values& values, bool only_numbers) {
  constexpr std::size_t most_integers = 100, most_fractions = 20, least_rows = 20;
  const std::size_t count = values.different.size();
  const std::string many = (values.more ? "has more than " : "has ") + std::to_string(count) + " different ";
  if (count == 0) return "has no values";
  if (count == 1) return "has only the value " + in_quotes(values.different.front());
  if (count == 2) return "";
  if (values.dates) return "has dates";
  const std::size_t most = only_numbers ? most_classes : most_integers;
  if (values.numbers)
    return count > (values.integers ? most : most_fractions)
               ? many + "numbers: it looks like a quantity (regression)"
               : "";
  const bool id = values.cells >= least_rows && 10 * count > 9 * values.cells;
  return id || count > most_classes ? many + "values: it looks like an identifier or free text" : "";
}

// "0, 1" or "a, b, c, ..."
std::string list_of_values(const std::vector<std::string>& values) {
  constexpr std::size_t shown = 3;
  std::string list;
  for (std::size_t i = 0; i < std::min(shown, values.size()); ++i)
    list += (i ? ", " : "") + in_quotes(values[i]);
  return list + (values.size() > shown ? ", ..." : "");
}

struct Candidate {
  std::size_t column;
  std::vector<std::string> values;
};

std::vector<Candidate> two_valued(const CsvLayout& layout, const std::vector<FoundColumn>& features,
                                  const std::vector<ColumnCells>& cells) {
  std::vector<Candidate> candidates;
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f].use != FoundColumn::Use::feature) continue;
    const Column& column = features[f].column;
    if (column.has_levels() && column.levels.size() == 2)
      candidates.push_back({layout.column[f], column.levels});
    else if (column.kind == ColumnKind::number && cells[f].totals.zero && cells[f].totals.one &&
             !cells[f].totals.other)
      candidates.push_back({layout.column[f], {"0", "1"}});
  }
  return candidates;
}

std::string advice(const CsvLayout& layout) {
  return layout.header.empty() ? "; name it by index from 0 (--label INDEX)" : "; name it (--label NAME)";
}

}  // namespace

LabelChoice choose_label(const CsvLayout& layout, const PlacedTexts& labels, bool more,
                         const std::vector<FoundColumn>& features, const std::vector<ColumnCells>& cells) {
  const auto last = static_cast<std::size_t>(
      std::find(layout.target.begin(), layout.target.end(), CsvLayout::label_column) - layout.target.begin());
  const Values values = values_of(labels, more);
  const bool only_numbers =
      values.numbers && std::all_of(features.begin(), features.end(), [](const FoundColumn& found) {
        return found.use != FoundColumn::Use::id && found.column.kind == ColumnKind::number;
      });
  if (only_numbers && layout.header.empty()) return {last, ""};
  const std::string problem = objection(values, only_numbers);
  if (problem.empty() && (only_numbers || values.different.size() == 2)) return {last, ""};
  std::vector<Candidate> candidates = two_valued(layout, features, cells);
  if (problem.empty()) {
    if (candidates.empty()) return {last, ""};
    candidates.push_back({last, values.different});
  } else if (candidates.empty()) {
    if (values.different.size() < 2) return {last, ""};  // the labels' own message
    throw ParseFault{nullptr, "the label column is not named, and the last, " + layout.name_of_column(last) +
                                  ", " + problem + "; induce predicts up to " + std::to_string(most_classes) +
                                  " classes" + advice(layout)};
  } else if (candidates.size() == 1) {
    return {candidates.front().column, "the label is " + layout.name_of_column(candidates.front().column) +
                                           ", the only column with two values; the last, " +
                                           layout.name_of_column(last) + ", " + problem};
  }
  std::string list;
  for (const Candidate& each : candidates)
    list +=
        (list.empty() ? "" : "; ") + layout.name_of_column(each.column) + ": " + list_of_values(each.values);
  throw ParseFault{
      nullptr,
      "the label column is not named, and several columns could be it" + advice(layout) + ": " + list,
      Fault::usage};
}

}  // namespace induce
