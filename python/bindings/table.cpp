// What the columns of a DataFrame are: the rules of the reader of text files (read/schema.hpp).
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <induce/error.hpp>

#include "arrays.hpp"
#include "columns.hpp"
#include "parts.hpp"
#include "read/lines.hpp"
#include "read/number.hpp"
#include "read/schema.hpp"

namespace induce::python {
namespace {

using Texts = std::vector<std::string>;
using Counts = std::vector<std::size_t>;

constexpr std::array<std::string_view, 5> storages{"number", "boolean", "date", "category", "text"};

Storage to_storage(const std::string& name) {
  return static_cast<Storage>(std::find(storages.begin(), storages.end(), name) - storages.begin());
}
std::string name_of_storage(Storage storage) {
  return std::string(storages[static_cast<std::size_t>(storage)]);
}

// From "column 'age'" or "column 3", with what to type in Python.
ColumnWords python_words(const std::string& shown) {
  const std::string which = shown.substr(shown.find(' ') + 1);
  const std::string name = which.front() == '\'' ? which.substr(1, which.size() - 2) : "";
  return {.shown = shown,
          .name = name,
          .drop = "drop=[" + which + "]",
          .categorical = "categorical_features=[" + which + "]",
          .numeric = "numeric_features",
          .dates = "convert the column to dates",
          .numbers = "convert the column to numbers",
          .gap = "make it a missing value"};
}

// What was seen of the columns of a DataFrame, or of a partition of one.
class Schema {
 public:
  using Known = std::pair<std::string, Texts>;  // kind and levels
  // Kind, levels, the value of each text or none, why the column is left out, what is odd about it, padded numbers.
  using Found = std::tuple<std::string, Texts, std::optional<Vector>, std::string, std::string, std::size_t>;
  // Column, storage, rows, numbers, dates, texts and their counts.
  using State =
      std::vector<std::tuple<std::size_t, std::string, std::size_t, std::size_t, std::size_t, Texts, Counts>>;

  Schema() = default;
  Schema(Schema&&) = default;

  void see_cells(std::size_t column, const std::string& storage, std::size_t rows, std::size_t present) {
    Seen& seen = seen_[column];
    seen.rows = rows;
    seen.cells.storage = to_storage(storage);
    (seen.cells.storage == Storage::date ? seen.cells.dates : seen.cells.numbers) = present;
  }

  void see_texts(std::size_t column, const std::string& storage, std::size_t rows, const Texts& texts,
                 const Counts& counts, const Counts& first_rows) {
    Seen& seen = seen_[column];
    seen.rows = rows;
    seen.cells.storage = to_storage(storage);
    for (std::size_t k = 0; k < texts.size(); ++k)
      seen.cells.texts.add(
          {texts[k], {0, first_rows.empty() ? k : first_rows[k]}, counts[k], Dictionary::hash_of(texts[k])});
  }

  // Those of a later partition.
  void add(const Schema& part, const Texts& shown) {
    for (const auto& [column, more] : part.seen_) {
      const auto [place, is_new] = seen_.try_emplace(column);
      Seen& seen = place->second;
      if (is_new) seen.cells.storage = more.cells.storage;
      if (seen.cells.storage != more.cells.storage)
        throw data_error(shown.at(column) + " has " + name_of_storage(seen.cells.storage) +
                         "s in one partition and " + name_of_storage(more.cells.storage) +
                         "s in another: all partitions must have the same types");
      seen.rows += more.rows;
      seen.cells.add(more.cells);
    }
  }

  Texts texts(std::size_t column) const {
    Texts all;
    for (const Dictionary::Entry& entry : seen_.at(column).cells.texts.entries())
      all.emplace_back(entry.text);
    return all;
  }

  // `wish`: "category", "number", "no category" or ""; `known`: what the column is in a model.
  Found find(std::size_t column, const std::string& shown, const std::string& wish,
             const std::optional<Known>& known) const {
    const auto& [cells, rows] = seen_.at(column);
    ColumnSetting setting{.words = python_words(shown), .rule = rule_of(wish, cells.storage), .rows = rows};
    Column expected;
    if (known) {
      expected = {to_kind(known->first), known->second};
      setting.expected = true;
      setting.known = &expected;
      setting.rule = rule_of(expected.kind);
      setting.where = [](const Place& place) { return "row " + std::to_string(place.offset); };
    }
    try {
      FoundColumn found = find_column(cells, setting, true);
      std::optional<Vector> values;
      if (cells.texts.size() > 0) values = to_numpy(std::move(found.values));
      const bool used = found.use == FoundColumn::Use::feature;
      return {std::string(name_of(found.column.kind)),
              std::move(found.column.levels),
              std::move(values),
              used ? "" : found.warning,
              used ? found.warning : "",
              found.padded};
    } catch (const ParseFault& fault) {
      throw Error(fault.fault, fault.what);
    }
  }

  State state() const {
    State state;
    for (const auto& [column, seen] : seen_) {
      Counts counts;
      for (const Dictionary::Entry& entry : seen.cells.texts.entries()) counts.push_back(entry.count);
      state.emplace_back(column, name_of_storage(seen.cells.storage), seen.rows, seen.cells.numbers,
                         seen.cells.dates, texts(column), std::move(counts));
    }
    return state;
  }
  void restore(const State& state) {
    for (const auto& [column, storage, rows, numbers, dates, texts, counts] : state) {
      see_texts(column, storage, rows, texts, counts, {});
      seen_[column].cells.numbers = numbers;
      seen_[column].cells.dates = dates;
    }
  }

 private:
  struct Seen {
    SeenColumn cells{};
    std::size_t rows = 0;
  };

  static CellRule rule_of(const std::string& wish, Storage storage) {
    if (wish == "number" || (wish == "no category" && storage != Storage::date)) return CellRule::number;
    return wish == "category" || storage == Storage::category ? CellRule::category : CellRule::found;
  }
  static CellRule rule_of(ColumnKind kind) {
    return kind == ColumnKind::number ? CellRule::number
           : kind == ColumnKind::date ? CellRule::date
                                      : CellRule::category;
  }

  std::map<std::size_t, Seen> seen_;
};

double date_of_text(const std::string& text) {
  double days = 0;
  if (!is_date(text, days)) throw data_error(in_quotes(text) + " is not a date such as 2023-01-05");
  return days;
}

}  // namespace

void add_table(nb::module_& module) {
  nb::class_<Schema>(module, "Schema", "What was seen of the columns of a table, and what they are.")
      .def(nb::init<>())
      .def("see_cells", &Schema::see_cells, nb::arg("column"), nb::arg("storage"), nb::arg("rows"),
           nb::arg("present"), "A column of numbers or dates that are used as they are.")
      .def("see_texts", &Schema::see_texts, nb::arg("column"), nb::arg("storage"), nb::arg("rows"),
           nb::arg("texts"), nb::arg("counts"), nb::arg("first_rows") = Counts(),
           "The different texts of a column.")
      .def("add", &Schema::add, nb::arg("part"), nb::arg("shown"), "What was seen in a later partition.")
      .def("texts", &Schema::texts, nb::arg("column"))
      .def("find", &Schema::find, nb::arg("column"), nb::arg("shown"), nb::arg("wish"),
           nb::arg("known") = nb::none(),
           "Kind, levels, the value of each text or None, why the column is left out, what is odd about it, "
           "numbers "
           "with leading zeros.")
      .def("__getstate__", &Schema::state)
      .def("__setstate__", [](Schema& schema, const Schema::State& state) {
        new (&schema) Schema();
        schema.restore(state);
      });
  module.def("date_of_text", &date_of_text, nb::arg("text"), "Days since 1970-01-01 00:00 UTC.");
  module.def(
      "doubt_about_numbers",
      [](const std::string& column, const std::vector<double>& values, std::size_t padded) {
        return doubt_about_numbers(python_words(column), values, padded);
      },
      nb::arg("column"), nb::arg("values"), nb::arg("padded"),
      "What is odd about a column of numbers; empty if nothing is.");
}

}  // namespace induce::python
