#include "model/model_tensors.hpp"

#include <tuple>
#include <functional>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <induce/error.hpp>

#include "rows/sparse_rows.hpp"
#include "text/words.hpp"

namespace induce::detail {
namespace {

bool increases(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

// Lists of these lengths, which are stored one after the other.
std::vector<std::vector<double>> read_lists(TensorReader& file, const std::string& lengths,
                                            const std::string& name, std::size_t columns) {
  const std::vector<double> counts = file.numbers(lengths, {columns}), values = file.list(name);
  std::vector<std::vector<double>> out;
  std::size_t at = 0;
  for (const double count : counts) {
    if (!is_index(count, values.size() - at + 1)) break;
    append(out.emplace_back(), values, at, static_cast<std::size_t>(count));
    at += static_cast<std::size_t>(count);
  }
  if (out.size() != columns || at != values.size())
    file.reject("it has lists of levels or values that do not match their lengths");
  return out;
}

}  // namespace

bool is_index(double x, std::size_t below) {
  return x >= 0 && x < static_cast<double>(below) && x == std::floor(x);
}

void append(std::vector<double>& to, const std::vector<double>& from, std::size_t first, std::size_t count) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
  to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
}

Tensor list_of(std::vector<double> values) {
  const std::size_t size = values.size();
  return {{size}, std::move(values)};
}

Tensor tensor_of(const Vector& v) { return list_of(std::vector<double>(v.begin(), v.end())); }

Tensor tensor_of(const Matrix& A) {
  const RowMatrix rows = A;
  return {{static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols())},
          {rows.data(), rows.data() + rows.size()}};
}

void TensorReader::reject(const std::string& why) const {
  throw data_error(origin_ + ": not a usable model: " + why);
}

const std::string& TensorReader::metadata(const std::string& key) const {
  const auto found = file_.metadata().find(key);
  if (found == file_.metadata().end()) reject("metadata '" + key + "' is missing");
  return found->second;
}

const Sizes& TensorReader::shape(const std::string& name) const {
  const auto found = file_.tensors().find(name);
  if (found == file_.tensors().end()) reject("tensor '" + name + "' is missing");
  return found->second.shape;
}

void TensorReader::expect(const std::string& name, const Sizes& expected) {
  if (shape(name) != expected) reject("tensor '" + name + "' has the wrong shape");
  read_.insert(name);
}

std::vector<double> TensorReader::numbers(const std::string& name, const Sizes& expected) {
  expect(name, expected);
  std::vector<double> out(file_.count(name));
  file_.copy(name, out.data());
  return out;
}

std::vector<double> TensorReader::list(const std::string& name) {
  const Sizes& size = shape(name);
  return numbers(name, {size.empty() ? 0 : size[0]});
}

Vector TensorReader::vector(const std::string& name, std::size_t size) {
  expect(name, {size});
  Vector out(static_cast<Index>(size));
  file_.copy(name, out.data());
  return out;
}

RowMatrix TensorReader::matrix(const std::string& name, std::size_t rows, std::size_t columns) {
  expect(name, {rows, columns});
  RowMatrix out(static_cast<Index>(rows), static_cast<Index>(columns));
  file_.copy(name, out.data());
  return out;
}

void TensorReader::check_all_read() const {
  for (const auto& [name, tensor] : file_.tensors())
    if (!read_.contains(name)) reject("unexpected tensor " + in_quotes(name));
}

void add_columns(const Encoding& encoding, const TypicalValues& typical, const ColumnRanges& ranges,
                 Tensors& out) {
  out["typical_values"] = tensor_of(typical.values);
  out["most_gaps"] = list_of({static_cast<double>(typical.most_gaps)});
  out["column_gaps"] = list_of(std::vector<double>(typical.gaps.begin(), typical.gaps.end()));
  if (!ranges.empty()) {
    Tensor& ends = out["column_ranges"] = {{ranges.lowest.size(), 2}, {}};
    for (std::size_t column = 0; column < ranges.lowest.size(); ++column) {
      const bool has_values = ranges.lowest[column] <= ranges.highest[column];
      ends.values.push_back(has_values ? ranges.lowest[column] : 0);
      ends.values.push_back(has_values ? ranges.highest[column] : 0);
    }
  }
  if (encoding.is_plain()) return;
  std::vector<double> level_counts, levels, repeated_counts, repeated;
  for (const ColumnCode& code : encoding.codes()) {
    level_counts.push_back(static_cast<double>(code.levels.size()));
    levels.insert(levels.end(), code.levels.begin(), code.levels.end());
    repeated_counts.push_back(static_cast<double>(code.repeated.size()));
    repeated.insert(repeated.end(), code.repeated.begin(), code.repeated.end());
  }
  out["column_order"] = list_of(std::vector<double>(encoding.order().begin(), encoding.order().end()));
  out["level_counts"] = list_of(std::move(level_counts));
  out["level_features"] = list_of(std::move(levels));
  out["repeated_counts"] = list_of(std::move(repeated_counts));
  out["repeated_values"] = list_of(std::move(repeated));
}

TypicalValues read_typical_values(TensorReader& file, std::size_t columns) {
  const std::vector<double> gaps = file.numbers("column_gaps", {columns});
  const double most = file.number("most_gaps");
  if (!std::all_of(gaps.begin(), gaps.end(), [](double x) { return x == 0 || x == 1; }))
    file.reject("it has a column_gaps that is neither 0 nor 1");
  if (!is_index(most, columns + 1)) file.reject("it has a most_gaps that is not a number of columns");
  return {file.matrix("typical_values", file.shape("typical_values")[0], columns),
          {gaps.begin(), gaps.end()},
          static_cast<std::size_t>(most)};
}

ColumnRanges read_ranges(TensorReader& file, std::size_t columns) {
  ColumnRanges out;
  const std::vector<double> ends = file.numbers("column_ranges", {columns, 2});
  for (std::size_t k = 0; k < ends.size(); k += 2) {
    if (ends[k] > ends[k + 1]) file.reject("it has a column whose smallest value is larger than its largest");
    out.lowest.push_back(ends[k]);
    out.highest.push_back(ends[k + 1]);
  }
  return out;
}

Encoding read_encoding(TensorReader& file, const TypicalValues& typical, const std::vector<Column>& columns) {
  const std::size_t count = typical.gaps.size();
  std::vector<Index> order;
  std::vector<bool> seen(count, false);
  for (const double place : file.numbers("column_order", {count})) {
    if (!is_index(place, count) || seen[static_cast<std::size_t>(place)])
      file.reject("it has a column_order that is not an order of its columns");
    seen[static_cast<std::size_t>(place)] = true;
    order.push_back(static_cast<Index>(place));
  }
  const auto levels = read_lists(file, "level_counts", "level_features", count),
             repeated = read_lists(file, "repeated_counts", "repeated_values", count);
  std::vector<ColumnCode> codes(count);
  for (std::size_t column = 0; column < count; ++column) {
    ColumnCode& code = codes[column];
    code.is_number = columns.empty() || !columns[column].has_levels();
    code.gaps = typical.gaps[column];
    const std::size_t known = code.is_number ? 0 : columns[column].levels.size();
    code.level_count = static_cast<Index>(known);
    for (const double level : levels[column]) {
      if (!is_index(level, known)) file.reject("it has a feature for a level that a column does not have");
      code.levels.push_back(static_cast<Index>(level));
    }
    code.repeated = repeated[column];
    if (!code.is_number && !code.repeated.empty())
      file.reject("it has repeated numbers in a column of levels");
    if (!increases(levels[column]) || !increases(code.repeated))
      file.reject("it has levels or values out of order");
  }
  return Encoding(std::move(codes), std::move(order));
}

void add_projection(const Projection& projection, Tensors& out) {
  out["projection_width"] = list_of({static_cast<double>(projection.width)});
  out["projection_columns"] =
      list_of(std::vector<double>(projection.column.begin(), projection.column.end()));
  out["projection"] = tensor_of(Matrix(projection.W));
}

std::shared_ptr<const Projection> read_projection(TensorReader& file, std::size_t features) {
  constexpr double largest_slope = 1e150;
  auto out = std::make_shared<Projection>();
  const Sizes& size = file.shape("projection");
  const std::size_t used = size.empty() ? 0 : size[0];
  out->W = file.matrix("projection", used, features);
  const double width = file.number("projection_width");
  if (!is_index(width, most_sparse_columns + 1) || width == 0)
    file.reject("it has a projection_width that is not a number of columns");
  out->width = static_cast<std::size_t>(width);
  for (const double column : file.numbers("projection_columns", {used})) {
    if (!is_index(column, out->width)) file.reject("it has a projection of a column that it does not have");
    if (!out->column.empty() && out->column.back() >= static_cast<std::int32_t>(column))
      file.reject("it has projection_columns that do not increase");
    out->column.push_back(static_cast<std::int32_t>(column));
  }
  if (!(out->W.array().abs() <= largest_slope).all()) file.reject("it has a projection out of range");
  return out;
}

namespace {

std::string knots_name(bool pair, Index column) {
  return (pair ? "pair_knots." : "knots.") + std::to_string(column);
}

}  // namespace

void add_knots(const Terms& terms, Tensors& tensors) {
  for (Index p = 0; p < terms.count(); ++p)
    for (std::size_t k = 0; k < terms[p].axes.size(); ++k) {
      const Axis& axis = terms[p].axes[k];
      if (axis.knots.empty()) continue;
      Tensor all{.shape = {2, axis.knots.size()}, .values = axis.knots};
      append(all.values, axis.ranks, 0, axis.ranks.size());
      tensors[knots_name(terms[p].axes.size() > 1, terms[p].columns[k])] = std::move(all);
    }
}

void read_knots(TensorReader& file, const Encoding& encoding, Index columns, KernelSetting& setting) {
  for (const bool pair : {false, true})
    for (Index column = 0; column < columns; ++column) {
      Axis axis{.first = column, .count = 1, .value = column, .knots = {}, .ranks = {}};
      if (!encoding.is_plain()) {
        std::tie(axis.first, axis.count) = encoding.features_of(column);
        axis.value = encoding.value_of(column);
      }
      const std::string name = knots_name(pair, column);
      if (file.has(name)) {
        const Sizes& shape = file.shape(name);
        if (shape.size() != 2 || axis.value < 0) file.reject("its " + name + " are not those of a number");
        const std::vector<double> all = file.numbers(name, {2, shape[1]});
        const auto half = all.begin() + static_cast<std::ptrdiff_t>(shape[1]);
        axis.knots.assign(all.begin(), half);
        axis.ranks.assign(half, all.end());
        for (const std::vector<double>* numbers : {&axis.knots, &axis.ranks})
          if (!std::is_sorted(numbers->begin(), numbers->end(), std::less_equal<>()))
            file.reject("its " + name + " are not increasing");
      }
      (pair ? setting.pair_axes : setting.axes).push_back(std::move(axis));
    }
}

}  // namespace induce::detail
