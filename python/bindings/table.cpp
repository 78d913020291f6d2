// How texts become cells: the rules of the CSV reader, for the different spellings in a column of a DataFrame.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <induce/error.hpp>

#include "arrays.hpp"
#include "columns.hpp"
#include "read/column_doubts.hpp"
#include "read/dates.hpp"
#include "read/levels.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"
#include "read/text_values.hpp"
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

// Numbers or dates. Throws if separators or dates can be read in two ways.
TextValues values_of(const Tokens& tokens) {
  TextValues found;
  found.values.resize(tokens.size());
  std::size_t plain = 0;
  while (plain < tokens.size() && is_number(tokens[plain], found.values[plain])) ++plain;
  if (plain == tokens.size()) {
    found.style = TextValues::Style::thousands;
    return found;
  }
  found = read_texts(tokens);
  if (found.style == TextValues::Style::ambiguous)
    throw Error(Fault::data, why_ambiguous(found, tokens[found.doubtful]) + "; convert the column to " +
                                 (found.dates ? "dates" : "numbers"));
  return found;
}

std::vector<bool> are_numbers(const Texts& spellings) {
  std::vector<bool> all;
  for (const std::string& spelling : spellings) all.push_back(is_number(trimmed(spelling)));
  return all;
}

Vector numbers_of_texts(const Texts& spellings) {
  const Present present(spellings);
  const TextValues found = values_of(present.tokens);
  if (found.style != TextValues::Style::none && !found.dates) return present.spread(found.values);
  const auto odd = std::find_if_not(present.tokens.begin(), present.tokens.end(),
                                    [](std::string_view token) { return is_number(token); });
  throw Error(Fault::data, why_not_a_number(*odd));
}

Vector dates_of_texts(const Texts& spellings) {
  const Present present(spellings);
  if (present.tokens.empty()) return present.spread({});
  const TextValues found = values_of(present.tokens);
  if (found.dates) return present.spread(found.values);
  double days = 0;
  const auto odd =
      std::find_if_not(present.tokens.begin(), present.tokens.end(), [&](std::string_view token) {
        return is_date(token, DateOrder::day_first, days) || is_date(token, DateOrder::month_first, days);
      });
  throw Error(Fault::data, in_quotes(*odd) + " is not a date such as 2023-01-05 or 2023-01-05 10:30");
}

// As io/csv_columns.hpp does for a column of a file.
std::string kind_of_texts(const Texts& spellings) {
  const Tokens tokens = Present(spellings).tokens;
  ColumnKind kind = ColumnKind::number;
  if (!tokens.empty() && std::all_of(tokens.begin(), tokens.end(), is_boolean)) {
    kind = ColumnKind::boolean;
  } else if (const TextValues found = values_of(tokens); found.dates) {
    kind = ColumnKind::date;
  } else if (found.style == TextValues::Style::none) {
    kind = ColumnKind::category;
  }
  return std::string(name_of(kind));
}

// How many of the cells are numbers with leading zeros; `counts`: cells of each spelling.
std::size_t padded_cells(const Texts& spellings, const std::vector<std::size_t>& counts) {
  std::size_t padded = 0;
  for (std::size_t i = 0; i < spellings.size(); ++i)
    if (const auto token = trimmed(spellings[i]); is_padded(token) && is_number(token)) padded += counts[i];
  return padded;
}

// From "column 'age'" or "column 3", with what to type in Python.
DoubtfulColumn doubtful(const std::string& shown) {
  const std::string which = shown.substr(shown.find(' ') + 1);
  const std::string name = which.front() == '\'' ? which.substr(1, which.size() - 2) : "";
  return {shown, name, "drop=[" + which + "]", "categorical_features=[" + which + "]"};
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
  module.def("padded_cells", &padded_cells, nb::arg("spellings"), nb::arg("counts"));
  module.def(
      "doubt_about_levels",
      [](const std::string& column, std::size_t levels, std::size_t cells, const std::string& example) {
        return doubt_about_levels(doubtful(column), levels, cells, example);
      },
      nb::arg("column"), nb::arg("levels"), nb::arg("cells"), nb::arg("example"),
      "What is odd about a category; empty if nothing is.");
  module.def(
      "doubt_about_numbers",
      [](const std::string& column, const std::vector<double>& values, std::size_t padded) {
        return doubt_about_numbers(doubtful(column), values, padded);
      },
      nb::arg("column"), nb::arg("values"), nb::arg("padded"),
      "What is odd about a column of numbers; empty if nothing is.");
  module.def("levels_of_texts", &levels_of_texts, nb::arg("spellings"),
             "The levels, and the index of each spelling's level; -1: missing.");
  module.def("codes_of_texts", &codes_of_texts, nb::arg("spellings"), nb::arg("kind"), nb::arg("levels"),
             "The index of each spelling among these levels; their number: not listed; -1: missing.");
}

}  // namespace induce::python
