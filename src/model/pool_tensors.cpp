#include "model/pool_tensors.hpp"

#include <cmath>

#include "model/tensor_lists.hpp"

namespace induce {
namespace {

constexpr double largest_entry = 1e75;  // squares of many are still finite

}  // namespace

std::map<std::string, Tensor> pool_tensors(const RowPool& pool) {
  const SparseRows& rows = pool.rows();
  std::map<std::string, Tensor> out;
  out["pool_starts"] = list_of({rows.row_start.begin(), rows.row_start.end()});
  out["pool_columns"] = list_of({rows.column.begin(), rows.column.end()});
  out["pool_values"] = list_of(rows.value);
  out["pool_width"] = list_of({static_cast<double>(rows.d)});
  if (!pool.scales().empty()) out["column_scales"] = list_of(pool.scales());
  return out;
}

std::map<std::string, std::vector<std::size_t>> shapes_of_pool(const CheckedTensors& file, std::size_t m) {
  if (!file.shapes().contains("pool_starts")) return {};
  std::map<std::string, std::vector<std::size_t>> out{{"pool_starts", {m + 1}}, {"pool_width", {1}}};
  const auto columns = file.shapes().find("pool_columns");
  const std::size_t entries =
      columns == file.shapes().end() || columns->second.empty() ? 0 : columns->second[0];
  out["pool_columns"] = out["pool_values"] = {entries};
  const auto scales = file.shapes().find("column_scales");
  if (scales != file.shapes().end()) out["column_scales"] = {scales->second.empty() ? 0 : scales->second[0]};
  return out;
}

std::string read_pool(const CheckedTensors& file, std::shared_ptr<const RowPool>& out) {
  const double width = numbers(file, "pool_width")[0];
  if (!is_index(width, most_sparse_columns + 1) || width == 0)
    return "has a pool_width that is no number of columns";
  SparseRows rows;
  rows.d = static_cast<std::size_t>(width);
  const std::vector<double> starts = numbers(file, "pool_starts"), columns = numbers(file, "pool_columns");
  rows.value = numbers(file, "pool_values");
  rows.row_start.clear();
  for (const double start : starts) {
    if (!is_index(start, columns.size() + 1) ||
        static_cast<double>(rows.row_start.empty() ? 0 : rows.row_start.back()) > start)
      return "has pool_starts that do not increase";
    rows.row_start.push_back(static_cast<std::int64_t>(start));
  }
  if (rows.row_start.front() != 0 || rows.row_start.back() != static_cast<std::int64_t>(columns.size()))
    return "has pool_starts that do not match its entries";
  for (const double column : columns) {
    if (!is_index(column, rows.d)) return "has an entry in a column that it does not have";
    rows.column.push_back(static_cast<std::int32_t>(column));
  }
  for (std::size_t i = 0; i < rows.n(); ++i)
    for (std::int64_t k = rows.row_start[i] + 1; k < rows.row_start[i + 1]; ++k)
      if (rows.column[static_cast<std::size_t>(k) - 1] >= rows.column[static_cast<std::size_t>(k)])
        return "has columns that do not increase within a row";
  for (const double value : rows.value)
    if (!(std::abs(value) <= largest_entry)) return "has an entry out of range";
  std::vector<double> scales;
  if (file.shapes().contains("column_scales")) {
    scales = numbers(file, "column_scales");
    if (scales.size() != rows.d) return "has not one scale for each column";
    for (const double scale : scales)
      if (!(scale > 0 && std::isfinite(scale))) return "has a column scale that is not positive";
  }
  out = std::make_shared<const RowPool>(std::move(rows), std::move(scales));
  return "";
}

}  // namespace induce
