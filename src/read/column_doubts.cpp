// What is odd about a column: see schema.hpp.
#include "read/schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "read/dataset.hpp"
#include "read/lines.hpp"

namespace induce::detail {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// Is one of the words of "PassengerId", "zip_code" or "customer ID" that of an id or a code?
bool is_name_of_id(std::string_view name) {
  constexpr std::array<std::string_view, 8> words{"id",  "zip",   "zipcode", "postcode",
                                                  "plz", "phone", "code",    "postal"};
  std::string word;
  const auto is_one = [&] { return std::find(words.begin(), words.end(), word) != words.end(); };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool letter = is_lower(name[i]) || is_upper(name[i]);
    const bool begins = letter && i > 0 && is_upper(name[i]) && is_lower(name[i - 1]);
    if (!letter || begins) {
      if (is_one()) return true;
      word.clear();
    }
    if (letter) word += is_upper(name[i]) ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  return is_one();
}

// Far fewer repeats than the n - R (1 - e^(-n/R)) of n numbers by chance in a range of R, where these are at least seven: then
// none at all has a chance of 1 in 1000.
bool hardly_repeats(std::size_t count, std::size_t different, double R) {
  const auto n = static_cast<double>(count);
  const double by_chance = n + R * std::expm1(-n / R);
  return by_chance >= 7 && static_cast<double>(count - different) <= by_chance / 10;
}

}  // namespace

ColumnWords command_words(const std::string& shown, const std::string& name, std::size_t number) {
  const std::string option = name.empty() ? std::to_string(number) : name;
  return {.shown = shown,
          .name = name,
          .drop = "--drop " + option,
          .categorical = "--categorical " + option,
          .numeric = "--numeric",
          .dates = "write dates such as 2022-01-31, or say --dates day-first or month-first",
          .numbers = "write numbers with a decimal point and without thousands separators",
          .gap = "write NA for a missing value"};
}

std::string doubt_about_levels(const ColumnWords& column, std::size_t levels, std::size_t cells,
                               std::string_view example) {
  constexpr std::size_t most_levels = 100, rows_of_each = 10;
  if (levels < most_levels || cells >= rows_of_each * levels) return "";
  return column.shown + " is a category of " + std::to_string(levels) + " levels in " +
         std::to_string(cells) + " cells, such as " + in_quotes(example) +
         "; if that is not meant, leave it out (" + column.drop + "), otherwise say so (" +
         column.categorical + ")";
}

std::string doubt_about_numbers(const ColumnWords& column, std::vector<double> values, std::size_t padded) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (!std::all_of(values.begin(), values.end(), [](double value) { return value == std::floor(value); }))
    return "";
  std::sort(values.begin(), values.end());
  const std::size_t count = values.size();
  const auto different = static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
  if (count > 0 && different <= 2) return "";
  const std::string what =
      padded > 0 ? " has " + std::to_string(padded) + " numbers with leading zeros, as codes have,"
      : count > 0 && hardly_repeats(count, different, values[different - 1] - values[0] + 1)
          ? " looks like an id: " + std::to_string(different) + " different whole numbers in " +
                std::to_string(count) + " cells,"
      : count > 0 && is_name_of_id(column.name) ? " has the name of an id or a code, and whole numbers,"
                                                : "";
  return what.empty() ? ""
                      : column.shown + what + " and is used as a number; to leave it out: " + column.drop +
                            ", as a category: " + column.categorical;
}

std::vector<std::string> doubts_about_numbers(const Dataset& data) {
  std::vector<std::string> doubts;
  for (const ColumnSummary& column : data.columns) {
    if (!column.feature || column.kind != "number" || column.declared || data.sparse) continue;
    std::vector<double> values;
    for (Index i = 0; i < data.X.rows(); ++i)
      values.push_back(data.X(i, static_cast<Index>(*column.feature)));
    std::string doubt = doubt_about_numbers(command_words(column.shown, column.name, column.number),
                                            std::move(values), column.padded);
    if (!doubt.empty()) doubts.push_back(std::move(doubt));
  }
  return doubts;
}

}  // namespace induce::detail
