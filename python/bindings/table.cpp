// How texts become cells: the rules of the CSV reader, for the different spellings in a column of a DataFrame.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <induce/error.hpp>

#include "arrays.hpp"
#include "columns.hpp"
#include "io/dates.hpp"
#include "io/levels.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"
#include "parts.hpp"

namespace induce::python {
namespace {

using Texts = std::vector<std::string>;

std::string kind_of_texts(const Texts& spellings) {
  bool number = true, boolean = true, date = true;
  for (const std::string& spelling : spellings) {
    const std::string_view token = trimmed(spelling);
    if (is_missing_value(token)) continue;
    number = number && is_number(token);
    boolean = boolean && is_boolean(token);
    date = date && is_date(token);
  }
  return std::string(name_of(number    ? ColumnKind::number  // also if all are missing
                             : boolean ? ColumnKind::boolean
                             : date    ? ColumnKind::date
                                       : ColumnKind::category));
}

std::vector<bool> are_numbers(const Texts& spellings) {
  std::vector<bool> all;
  for (const std::string& spelling : spellings) all.push_back(is_number(trimmed(spelling)));
  return all;
}

// What `parse` makes of each text; NaN for a missing value.
Vector parsed(const Texts& spellings, bool (*parse)(std::string_view, double&),
              std::string (*why_not)(std::string_view)) {
  std::vector<double> values;
  for (const std::string& spelling : spellings) {
    const std::string_view token = trimmed(spelling);
    double value = std::numeric_limits<double>::quiet_NaN();
    if (!is_missing_value(token) && !parse(token, value)) throw Error(Fault::data, why_not(token));
    values.push_back(value);
  }
  return to_numpy(std::move(values));
}

Vector numbers_of_texts(const Texts& spellings) { return parsed(spellings, is_number, why_not_a_number); }

Vector dates_of_texts(const Texts& spellings) {
  return parsed(spellings, is_date, [](std::string_view token) {
    return in_quotes(token) + " is not a date such as 2023-01-05 or 2023-01-05 10:30";
  });
}

std::pair<Texts, std::vector<int>> levels_of_texts(const Texts& spellings) {
  Levels found = find_levels(spellings);
  return {std::move(found.levels), std::move(found.of_spelling)};
}

std::vector<int> codes_of_texts(const Texts& spellings, const std::string& kind, const Texts& levels) {
  return match_levels(spellings, {kind_from_name(kind), levels});
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
