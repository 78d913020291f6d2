// How texts become cells: the rules of the CSV reader, for the different spellings in a column of a DataFrame.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <induce/error.hpp>

#include "arrays.hpp"
#include "columns.hpp"
#include "io/comma_numbers.hpp"
#include "io/dates.hpp"
#include "io/levels.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"
#include "parts.hpp"

namespace induce::python {
namespace {

using Texts = std::vector<std::string>;
using Tokens = std::vector<std::string_view>;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// The texts without blanks around them, and which of them are not missing.
struct Present {
  explicit Present(const Texts& spellings) : all(spellings.size()) {
    for (std::size_t i = 0; i < spellings.size(); ++i) {
      const std::string_view token = trimmed(spellings[i]);
      if (is_missing_cell(token)) continue;
      tokens.push_back(token);
      index.push_back(i);
    }
  }

  // One value per spelling, from one per token.
  Vector spread(const std::vector<double>& values) const {
    std::vector<double> out(all, missing);
    for (std::size_t k = 0; k < values.size(); ++k) out[index[k]] = values[k];
    return to_numpy(std::move(out));
  }

  std::size_t all;
  Tokens tokens;
  std::vector<std::size_t> index;  // of each token in the spellings
};

// What `parse` makes of each token; nothing if one of them is something else.
std::optional<std::vector<double>> parsed(const Tokens& tokens, bool (*parse)(std::string_view, double&)) {
  std::vector<double> values(tokens.size());
  for (std::size_t k = 0; k < tokens.size(); ++k)
    if (!parse(tokens[k], values[k])) return std::nullopt;
  return values;
}

// Numbers, also with decimal commas or thousands separators. Throws if separators can be read in two ways.
std::optional<std::vector<double>> parsed_numbers(const Tokens& tokens) {
  if (auto values = parsed(tokens, is_number)) return values;
  CommaNumbers found = read_comma_numbers(tokens);
  if (found.style == CommaNumbers::Style::ambiguous)
    throw Error(Fault::data, "the separators in " + in_quotes(tokens[found.doubtful]) +
                                 " may be for decimals or for thousands; convert the column to numbers");
  if (found.style == CommaNumbers::Style::none) return std::nullopt;
  return std::move(found.values);
}

std::vector<bool> are_numbers(const Texts& spellings) {
  std::vector<bool> all;
  for (const std::string& spelling : spellings) all.push_back(is_number(trimmed(spelling)));
  return all;
}

Vector numbers_of_texts(const Texts& spellings) {
  const Present present(spellings);
  if (const auto values = parsed_numbers(present.tokens)) return present.spread(*values);
  for (const std::string_view token : present.tokens)
    if (!is_number(token)) throw Error(Fault::data, why_not_a_number(token));
  return present.spread({});
}

Vector dates_of_texts(const Texts& spellings) {
  const Present present(spellings);
  if (const auto values = parsed(present.tokens, is_date)) return present.spread(*values);
  for (const std::string_view token : present.tokens)
    if (!is_date(token))
      throw Error(Fault::data, in_quotes(token) + " is not a date such as 2023-01-05 or 2023-01-05 10:30");
  return present.spread({});
}

// As io/csv_columns.hpp does for a column of a file.
std::string kind_of_texts(const Texts& spellings) {
  const Present present(spellings);
  const auto all = [&](bool (*test)(std::string_view)) {
    return std::all_of(present.tokens.begin(), present.tokens.end(), test);
  };
  return std::string(name_of(present.tokens.empty()           ? ColumnKind::number
                             : all(is_date)                   ? ColumnKind::date
                             : all(is_boolean)                ? ColumnKind::boolean
                             : parsed_numbers(present.tokens) ? ColumnKind::number
                                                              : ColumnKind::category));
}

std::pair<Texts, std::vector<int>> levels_of_texts(const Texts& spellings) {
  Levels found = find_levels(spellings);
  return {std::move(found.levels), std::move(found.of_spelling)};
}

std::vector<int> codes_of_texts(const Texts& spellings, const std::string& kind, const Texts& levels) {
  return match_levels(spellings, {to_kind(kind), levels});
}

}  // namespace

void add_table(nb::module_& module) {
  module.def("kind_of_texts", &kind_of_texts, nb::arg("spellings"),
             "What a column of these texts is: 'number' (also if all are missing), 'boolean', 'date' or "
             "'category'.");
  module.def("are_numbers", &are_numbers, nb::arg("spellings"));
  module.def("numbers_of_texts", &numbers_of_texts, nb::arg("spellings"), "NaN: missing.");
  module.def("dates_of_texts", &dates_of_texts, nb::arg("spellings"),
             "Days since 1970-01-01 00:00 UTC; NaN: missing.");
  module.def("levels_of_texts", &levels_of_texts, nb::arg("spellings"),
             "The levels, and the index of each spelling's level; -1: missing.");
  module.def("codes_of_texts", &codes_of_texts, nb::arg("spellings"), nb::arg("kind"), nb::arg("levels"),
             "The index of each spelling among these levels; their number: not listed; -1: missing.");
}

}  // namespace induce::python
