// See label_column.hpp.
#include "io/label_column.hpp"

#include <algorithm>
#include <cmath>
#include <set>

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
};

Values values_of(const std::vector<std::string_view>& labels) {
  Dictionary seen;
  for (const std::string_view label : labels) seen.add(label, label.data());
  Values values;
  std::vector<std::string> spellings;
  for (const Dictionary::Entry& entry : seen.entries()) {
    const std::string& text = spellings.emplace_back(text_of_field(entry.text));
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
  const std::string many = "has " + std::to_string(count) + " different ";
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

// Has the column the numbers 0 and 1, and no other?
bool is_zero_or_one(const RowMatrix& X, Index feature) {
  bool zero = false, one = false;
  for (Index i = 0; i < X.rows(); ++i) {
    const double x = X(i, feature);
    zero |= x == 0;
    one |= x == 1;
    if (!std::isnan(x) && x != 0 && x != 1) return false;
  }
  return zero && one;
}

struct Candidate {
  std::size_t column;
  std::vector<std::string> values;
};

std::vector<Candidate> two_valued(const CsvLayout& layout, const std::vector<FoundColumn>& features,
                                  const RowMatrix& X) {
  std::vector<Candidate> candidates;
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f].use != FoundColumn::Use::feature) continue;
    const Column& column = features[f].column;
    if (column.has_levels() && column.levels.size() == 2)
      candidates.push_back({layout.column[f], column.levels});
    else if (column.kind == ColumnKind::number && is_zero_or_one(X, static_cast<Index>(f)))
      candidates.push_back({layout.column[f], {"0", "1"}});
  }
  return candidates;
}

std::string advice(const CsvLayout& layout) {
  return layout.header.empty() ? "; name it by index from 0 (--label INDEX)" : "; name it (--label NAME)";
}

}  // namespace

LabelChoice choose_label(const CsvLayout& layout, const std::vector<std::string_view>& labels,
                         const std::vector<FoundColumn>& features, const RowMatrix& X) {
  const auto last = static_cast<std::size_t>(
      std::find(layout.target.begin(), layout.target.end(), CsvLayout::label_column) - layout.target.begin());
  const Values values = values_of(labels);
  const bool only_numbers =
      values.numbers && std::all_of(features.begin(), features.end(), [](const FoundColumn& found) {
        return found.use != FoundColumn::Use::id && found.column.kind == ColumnKind::number;
      });
  if (only_numbers && layout.header.empty()) return {last, ""};
  const std::string problem = objection(values, only_numbers);
  if (problem.empty() && (only_numbers || values.different.size() == 2)) return {last, ""};
  std::vector<Candidate> candidates = two_valued(layout, features, X);
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
