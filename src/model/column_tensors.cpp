#include "model/column_tensors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/tensor_lists.hpp"

namespace induce::detail {
namespace {

bool are_flags(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x == 0 || x == 1; });
}

bool increases(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

// Cuts `values` into lists of these lengths; false if that is not possible.
bool split(const std::vector<double>& counts, const std::vector<double>& values,
           std::vector<std::vector<double>>& out) {
  std::size_t at = 0;
  for (const double count : counts) {
    if (!is_index(count, values.size() - at + 1)) return false;
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(at);
    out.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
    at += static_cast<std::size_t>(count);
  }
  return at == values.size();
}

}  // namespace

std::vector<std::string> names_of_column_tensors(bool encoded) {
  std::vector<std::string> names{"column_gaps"};
  if (encoded) names.insert(names.end(), {"column_order", "level_counts", "repeated_counts"});
  return names;
}

std::map<std::string, Tensor> column_tensors(const Encoding& encoding, const TypicalValues& typical,
                                             const ColumnRanges& ranges) {
  std::map<std::string, Tensor> out;
  const RowMatrix values = typical.values;
  out["typical_values"] = {{static_cast<std::size_t>(values.rows()), static_cast<std::size_t>(values.cols())},
                           {values.data(), values.data() + values.size()}};
  out["most_gaps"] = list_of({static_cast<double>(typical.most_gaps)});
  out["column_gaps"] = list_of({typical.gaps.begin(), typical.gaps.end()});
  if (!ranges.empty()) {
    Tensor& ends = out["column_ranges"] = {{ranges.lowest.size(), 2}, {}};
    for (std::size_t column = 0; column < ranges.lowest.size(); ++column) {
      const bool has_values = ranges.lowest[column] <= ranges.highest[column];
      ends.values.push_back(has_values ? ranges.lowest[column] : 0);
      ends.values.push_back(has_values ? ranges.highest[column] : 0);
    }
  }
  if (encoding.is_plain()) return out;
  std::vector<double> level_counts, levels, repeated_counts, repeated;
  for (const ColumnCode& code : encoding.codes()) {
    level_counts.push_back(static_cast<double>(code.levels.size()));
    for (const Index level : code.levels) levels.push_back(static_cast<double>(level));
    repeated_counts.push_back(static_cast<double>(code.repeated.size()));
    repeated.insert(repeated.end(), code.repeated.begin(), code.repeated.end());
  }
  out["column_order"] = list_of({encoding.order().begin(), encoding.order().end()});
  out["level_counts"] = list_of(std::move(level_counts));
  out["level_features"] = list_of(std::move(levels));
  out["repeated_counts"] = list_of(std::move(repeated_counts));
  out["repeated_values"] = list_of(std::move(repeated));
  return out;
}

std::string read_typical_values(const CheckedTensors& file, TypicalValues& out) {
  const std::vector<std::size_t>& shape = file.shapes().at("typical_values");
  RowMatrix values(static_cast<Index>(shape[0]), static_cast<Index>(shape[1]));
  file.copy("typical_values", values.data());
  const std::vector<double> gaps = numbers(file, "column_gaps");
  const double most = numbers(file, "most_gaps")[0];
  if (!are_flags(gaps)) return "has a column_gaps that is neither 0 nor 1";
  if (!is_index(most, gaps.size() + 1)) return "has a most_gaps that is not a number of columns";
  out = {values, {gaps.begin(), gaps.end()}, static_cast<std::size_t>(most)};
  return "";
}

std::string read_ranges(const CheckedTensors& file, ColumnRanges& out) {
  const std::vector<double> ends = numbers(file, "column_ranges");
  for (std::size_t k = 0; k < ends.size(); k += 2) {
    if (ends[k] > ends[k + 1]) return "has a column whose smallest value is larger than its largest";
    out.lowest.push_back(ends[k]);
    out.highest.push_back(ends[k + 1]);
  }
  return "";
}

std::string read_encoding(const CheckedTensors& file, const std::vector<Column>& columns, Encoding& out) {
  const std::vector<double> gaps = numbers(file, "column_gaps"), places = numbers(file, "column_order");
  const std::size_t count = gaps.size();
  std::vector<Index> order;
  std::vector<bool> seen(count, false);
  for (const double place : places) {
    if (!is_index(place, count) || seen[static_cast<std::size_t>(place)])
      return "has a column_order that is not an order of its columns";
    seen[static_cast<std::size_t>(place)] = true;
    order.push_back(static_cast<Index>(place));
  }
  std::vector<std::vector<double>> levels, repeated;
  if (!split(numbers(file, "level_counts"), numbers(file, "level_features"), levels) ||
      !split(numbers(file, "repeated_counts"), numbers(file, "repeated_values"), repeated))
    return "has lists of levels or values that do not match their lengths";
  std::vector<ColumnCode> codes(count);
  for (std::size_t column = 0; column < count; ++column) {
    ColumnCode& code = codes[column];
    code.is_number = columns.empty() || !columns[column].has_levels();
    code.gaps = gaps[column] == 1;
    const std::size_t known = code.is_number ? 0 : columns[column].levels.size();
    code.level_count = static_cast<Index>(known);
    for (const double level : levels[column]) {
      if (!is_index(level, known)) return "has a feature for a level that a column does not have";
      code.levels.push_back(static_cast<Index>(level));
    }
    code.repeated = repeated[column];
    if (!code.is_number && !code.repeated.empty()) return "has repeated numbers in a column of levels";
    if (!increases(levels[column]) || !increases(code.repeated)) return "has levels or values out of order";
  }
  out = Encoding(std::move(codes), std::move(order));
  return "";
}

}  // namespace induce::detail
