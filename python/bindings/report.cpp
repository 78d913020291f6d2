// Converts records to dicts with the field descriptions of describe/fields.hpp.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "arrays.hpp"
#include "describe/fields.hpp"
#include "describe/update_fields.hpp"
#include "parts.hpp"

namespace induce::python {
namespace {

// Types that describe() supports become dicts, other types values.
class Dict {
 public:
  template <class Value>
  void operator()(const Field& field, const Value& value) {
    set(std::string(field.name), to_object(value));
  }
  void operator()(const Field& field, const Bytes& bytes) {
    set(std::string(field.name) + "_bytes", nb::cast(bytes.count));
  }

  nb::dict take() { return std::move(dict_); }

  template <class Record>
  static nb::dict described(const Record& record) {
    Dict dict;
    describe(record, dict);
    return dict.take();
  }

 private:
  void set(const std::string& name, const nb::object& value) { dict_[name.c_str()] = value; }

  template <class Value>
  static nb::object to_object(const Value& value) {
    if constexpr (requires(Dict & visitor) { describe(value, visitor); })
      return described(value);
    else
      return nb::cast(value);
  }
  static nb::object to_object(Status status) { return nb::cast(name_of(status)); }
  static nb::object to_object(const std::vector<double>& values) { return nb::cast(to_numpy(values)); }
  static nb::object to_object(const PerFeature& numbers) { return nb::cast(to_numpy(numbers.values)); }
  static nb::object to_object(const PerFeatureImportance& importance) {
    return nb::cast(importance_rows(importance.values));
  }
  static nb::object to_object(const std::optional<Metrics>& metrics) {
    return metrics ? nb::object(described(*metrics)) : nb::none();
  }
  template <class Record>
  requires requires(const Record& record, Dict& visitor) { describe(record, visitor); }
  static nb::object to_object(const std::vector<Record>& records) {
    nb::list list;
    for (const Record& record : records) list.append(described(record));
    return list;
  }
  static nb::object to_object(const History& history);

  nb::dict dict_;
};

// One array per field.
class Columns {
 public:
  explicit Columns(std::size_t rows) : rows_(rows) {}

  template <class Number>
  void operator()(const Field& field, Number value) {
    std::vector<double>& column = columns_[field.name];
    column.reserve(rows_);
    column.push_back(static_cast<double>(value));
  }
  void move_to(nb::dict& dict) {
    describe(Iteration(), [&](const Field& field, const auto&) {
      dict[std::string(field.name).c_str()] = to_numpy(std::move(columns_[field.name]));
    });
  }

 private:
  std::size_t rows_;
  std::map<std::string_view, std::vector<double>> columns_;
};

nb::object Dict::to_object(const History& history) {
  Columns columns(history.iterations.size());
  for (const Iteration& iteration : history.iterations) describe(iteration, columns);
  nb::dict dict;
  columns.move_to(dict);
  return dict;
}

}  // namespace

nb::dict to_dict(const Theta& theta) { return Dict::described(theta); }
nb::dict to_dict(const Report& report) { return Dict::described(report); }
nb::dict to_dict(const UpdateReport& report, const Names& names) {
  return Dict::described(NamedUpdateReport{report, names});
}
nb::dict to_dict(const PastUpdate& update) { return Dict::described(update); }

nb::dict to_dict(const Progress& progress) {
  Dict dict;
  dict(Field{"iteration", "", "from 1"}, progress.iteration);
  dict(Field{"max_iter", "", "the limit"}, progress.max_iter);
  describe(progress.now, dict);
  dict(Field{"rows_per_second", "", "that passes of this stage have visited"}, progress.rows_per_second);
  dict(Field{"shards", "", "processes with rows; 0: only this one"}, progress.shards);
  dict(Field{"shard_imbalance", "", "work of the busiest shard over the mean"}, progress.shard_imbalance);
  return dict.take();
}

}  // namespace induce::python
