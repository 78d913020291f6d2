// Tables of Python: what their columns are and their numbers. The rules are those of files (read/schema.hpp).
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
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
#include "read/arrow.hpp"
#include "read/raw_table.hpp"

namespace induce::python {
namespace {

constexpr std::array<std::string_view, 5> storages{"number", "boolean", "date", "category", "text"};

std::string name_of_storage(Storage storage) {
  return std::string(storages[static_cast<std::size_t>(storage)]);
}

// What was seen in one or more partitions of a table.
class Seen {
 public:
  // Storage, missing, numbers, dates, padded, many; text, partition, row and count of each text.
  using Text = std::tuple<std::string, std::uint32_t, std::uint64_t, std::size_t>;
  using ColumnState =
      std::tuple<int, std::size_t, std::size_t, std::size_t, std::size_t, bool, std::vector<Text>>;
  using State = std::tuple<std::size_t, std::uint32_t, std::vector<ColumnState>>;

  explicit Seen(SeenTable table) : table_(std::move(table)) {}
  explicit Seen(const State& state) : partitions_(std::get<1>(state)) {
    table_.rows = std::get<0>(state);
    for (const auto& [storage, missing, numbers, dates, padded, many, texts] : std::get<2>(state)) {
      SeenColumn& column = table_.features.emplace_back();
      column.storage = static_cast<Storage>(storage);
      column.missing = missing;
      column.numbers = numbers;
      column.dates = dates;
      column.padded = padded;
      column.many = many;
      for (const auto& [text, partition, row, count] : texts)
        column.texts.add({text, {partition, row}, count, Dictionary::hash_of(text)});
    }
  }
  Seen(Seen&&) = default;

  const SeenTable& table() const { return table_; }

  // Of partitions in the order of their rows. `shown`: the columns in messages.
  static Seen sum(const std::vector<const Seen*>& parts, const std::vector<std::string>& shown) {
    Seen all;
    for (const Seen* part : parts) all.add(*part, shown);
    return all;
  }

  State state() const {
    std::vector<ColumnState> columns;
    for (const SeenColumn& column : table_.features) {
      std::vector<Text> texts;
      for (const Dictionary::Entry& entry : column.texts.entries())
        texts.emplace_back(entry.text, entry.first.file, entry.first.offset, entry.count);
      columns.emplace_back(static_cast<int>(column.storage), column.missing, column.numbers, column.dates,
                           column.padded, column.many, std::move(texts));
    }
    return {table_.rows, partitions_, std::move(columns)};
  }

 private:
  Seen() : partitions_(0) {}

  void add(const Seen& later, const std::vector<std::string>& shown) {
    table_.features.resize(later.table_.features.size());
    for (std::size_t f = 0; f < table_.features.size(); ++f) {
      SeenColumn& column = table_.features[f];
      const SeenColumn& more = later.table_.features[f];
      if (partitions_ == 0) column.storage = more.storage;
      if (column.storage != more.storage)
        throw data_error(shown.at(f) + " has " + name_of_storage(column.storage) + "s in one partition and " +
                         name_of_storage(more.storage) +
                         "s in another: all partitions must have the same types");
      const std::size_t before = column.texts.size();
      column.add(more);
      for (std::size_t k = before; k < column.texts.size(); ++k)
        column.texts.entries()[k].first.file += partitions_;
    }
    table_.rows += later.table_.rows;
    partitions_ += later.partitions_;
  }

  SeenTable table_;
  std::uint32_t partitions_ = 1;
};

// How the columns of a table are read: for a fit, for a model, or for a partition.
class TableReader {
 public:
  // Position in the table, kind, levels, how its texts are spelled, numbers with leading zeros.
  using Found = std::tuple<std::size_t, std::string, std::vector<std::string>, int, std::size_t>;
  using FoundColumns = std::pair<std::vector<Found>, std::vector<std::string>>;

  // `names`: of all columns, or none. `columns`: the features. `wishes`: of each, "category", "number", "no category"
  // or "" to go by what it is. `dates`: "day-first", "month-first" or "". `known`: what the features are in a model, or
  // in the whole table; `spellings`: their texts there.
  TableReader(std::vector<std::string> names, std::size_t count, std::vector<std::size_t> columns,
              std::vector<std::string> wishes, const std::string& dates,
              const std::optional<std::vector<KindAndLevels>>& known, const std::vector<int>& spellings,
              int threads)
      : names_(std::move(names)), columns_(std::move(columns)), wishes_(std::move(wishes)), count_(count) {
    plan_.piece = true;
    plan_.options.threads = threads;
    if (dates == "day-first") plan_.options.dates = TextStyle::day_first;
    if (dates == "month-first") plan_.options.dates = TextStyle::month_first;
    if (known) plan_.options.expected_columns = to_columns(*known);
    for (const int spelling : spellings) plan_.styles.push_back(static_cast<TextStyle>(spelling));
    plan_.words = [this](std::size_t column) { return words(column); };
    CsvLayout& layout = plan_.layout;
    layout.header = names_.empty() ? std::vector<std::string>(count, "") : names_;
    layout.target.assign(count, CsvLayout::ignored_column);
    layout.features = columns_.size();
    layout.column = columns_;
    for (std::size_t f = 0; f < columns_.size(); ++f) layout.target[columns_[f]] = static_cast<int>(f);
  }
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  // The numbers of the features that are used, and what they are.
  std::pair<Rows, FoundColumns> read(const std::shared_ptr<ArrowStream>& stream) const {
    auto X = std::make_unique<RowMatrix>();
    FoundColumns columns;
    {
      const nb::gil_scoped_release released;
      RawTable table(plan_of(stream), RawRows());
      columns = columns_of(table.shape);
      try {
        if (!columns.first.empty()) *X = table.all_rows().X;
      } catch (const ParseFault& fault) {
        plan_.report(fault);
      }
    }
    return {to_numpy(std::move(X)), std::move(columns)};
  }

  Seen see(const std::shared_ptr<ArrowStream>& stream) const {
    const nb::gil_scoped_release released;
    const ReadPlan plan = plan_of(stream);
    SeenTable seen;
    try {
      for_each_chunk(plan, [&](Chunk& chunk) { return seen.add(plan, chunk); });
    } catch (const ParseFault& fault) {
      plan.report(fault);
    }
    if (seen.fault) plan.report(*seen.fault);
    return Seen(std::move(seen));
  }

  FoundColumns find(const Seen& seen) const {
    std::vector<Storage> storage;
    for (const SeenColumn& column : seen.table().features) storage.push_back(column.storage);
    ReadPlan plan = plan_for(std::move(storage));
    return columns_of(*find_shape(plan, seen.table()));  // there is one: texts were seen as such
  }

  std::string doubt(std::size_t column, const Numbers& values, std::size_t padded) const {
    return doubt_about_numbers(words(column), {values.data(), values.data() + values.shape(0)}, padded);
  }

  std::vector<std::string> shown() const {
    std::vector<std::string> all;
    for (const std::size_t column : columns_) all.push_back(words(column).shown);
    return all;
  }

 private:
  // With what to type in Python.
  ColumnWords words(std::size_t column) const {
    const std::string name = names_.empty() ? "" : names_[column],
                      which = names_.empty() ? std::to_string(column) : "'" + name + "'";
    return {.shown = "column " + which,
            .name = name,
            .drop = "drop=[" + which + "]",
            .categorical = "categorical_features=[" + which + "]",
            .numeric = "numeric_features",
            .dates = "convert the column to dates, or say dates='day-first' or dates='month-first'",
            .numbers = "convert the column to numbers",
            .gap = "make it a missing value"};
  }

  CellRule rule_of(std::size_t f, Storage storage) const {
    if (plan_.options.expected_columns) {
      const ColumnKind kind = (*plan_.options.expected_columns)[f].kind;
      return kind == ColumnKind::number ? CellRule::number
             : kind == ColumnKind::date ? CellRule::date
                                        : CellRule::category;
    }
    const std::string& wish = wishes_[f];
    if (wish == "number" || (wish == "no category" && storage != Storage::date)) return CellRule::number;
    return wish == "category" || storage == Storage::category ? CellRule::category : CellRule::found;
  }

  // Texts are kept as such until all are known: a stream cannot be read again.
  ReadPlan plan_for(std::vector<Storage> storage) const {
    ReadPlan plan = plan_;
    plan.storage = std::move(storage);
    for (std::size_t f = 0; f < columns_.size(); ++f) {
      const bool texts = plan.storage[f] == Storage::text || plan.storage[f] == Storage::category;
      plan.rules.push_back(rule_of(f, plan.storage[f]));
      plan.layout.rule.push_back(texts ? CellRule::category : plan.rules[f]);
    }
    return plan;
  }

  ReadPlan plan_of(const std::shared_ptr<ArrowStream>& stream) const {
    if (stream->columns().size() != count_)
      throw data_error("X has " + std::to_string(stream->columns().size()) + " columns, expected " +
                       std::to_string(count_));
    std::vector<Storage> storage;
    for (const std::size_t column : columns_) storage.push_back(stream->columns()[column].type.storage);
    ReadPlan plan = plan_for(std::move(storage));
    Source& source = plan.files.emplace_back("X");
    source.arrow = true;
    source.stream = stream;
    return plan;
  }

  FoundColumns columns_of(const TableShape& shape) const {
    FoundColumns found;
    for (const ColumnSummary& summary : shape.data.columns) {
      if (!summary.feature) continue;
      const std::vector<Column>& known = shape.data.names.columns;
      const Column column = known.empty() ? Column{} : known[*summary.feature];
      found.first.emplace_back(summary.number, name_of(column.kind), column.levels,
                               static_cast<int>(shape.found[shape.kept[*summary.feature]].style),
                               summary.padded);
    }
    found.second = shape.data.warnings;
    return found;
  }

  std::vector<std::string> names_;
  std::vector<std::size_t> columns_;
  std::vector<std::string> wishes_;
  std::size_t count_;
  ReadPlan plan_;
};

}  // namespace

void add_table(nb::module_& module) {
  nb::class_<Seen>(module, "Seen", "What was seen of the columns of a table, in some of its partitions.")
      .def_static("sum", &Seen::sum, nb::arg("parts"), nb::arg("shown"),
                  "Of parts in the order of their rows. `shown`: the columns in messages.")
      .def("__getstate__", &Seen::state)
      .def("__setstate__", [](Seen& seen, const Seen::State& state) { new (&seen) Seen(state); });
  nb::class_<TableReader>(module, "TableReader", "How the columns of a table are read.")
      .def(nb::init<std::vector<std::string>, std::size_t, std::vector<std::size_t>, std::vector<std::string>,
                    const std::string&, const std::optional<std::vector<KindAndLevels>>&,
                    const std::vector<int>&, int>(),
           nb::arg("names"), nb::arg("count"), nb::arg("columns"), nb::arg("wishes"), nb::arg("dates") = "",
           nb::arg("known") = nb::none(), nb::arg("spellings") = std::vector<int>{}, nb::arg("threads") = 0)
      .def("read", &TableReader::read, nb::arg("stream"),
           "The numbers of the columns that are used, and what find() gives.")
      .def("see", &TableReader::see, nb::arg("stream"))
      .def("find", &TableReader::find, nb::arg("seen"),
           "Position, kind, levels, spelling of texts and numbers with leading zeros of each column that is "
           "used, and warnings.")
      .def(
          "doubt", &TableReader::doubt, nb::arg("column"), nb::arg("values").noconvert(), nb::arg("padded"),
          nb::sig("def doubt(self, column: int, values: numpy.typing.NDArray[numpy.float64], padded: int) -> "
                  "str"),
          "What is odd about a column of numbers; empty if nothing is.")
      .def_prop_ro("shown", &TableReader::shown, "The columns in messages.");
}

}  // namespace induce::python
