#include "rows/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <induce/error.hpp>

namespace induce::detail {

void SparseRows::add_dense(const double* row) {
  for (std::size_t f = 0; f < d; ++f) {
    if (row[f] == 0) continue;
    column.push_back(static_cast<std::int32_t>(f));
    value.push_back(row[f]);
  }
  row_start.push_back(static_cast<std::int64_t>(value.size()));
}

void SparseRows::add_row(const SparseView& from, std::size_t i) {
  for (std::int64_t k = from.row_start[i]; k < from.row_start[i + 1]; ++k) {
    if (from.value[k] == 0) continue;
    column.push_back(from.column[k]);
    value.push_back(from.value[k]);
  }
  row_start.push_back(static_cast<std::int64_t>(value.size()));
}

void check_entries(const SparseView& table) {
  const auto fail = [](std::size_t row, const std::string& why) {
    throw data_error("row " + std::to_string(row) + " of the sparse table: " + why);
  };
  if (table.d > most_sparse_columns)
    throw data_error("the sparse table has " + std::to_string(table.d) + " columns: at most " +
                     std::to_string(most_sparse_columns) + " are supported");
  for (std::size_t i = 0; i < table.n; ++i)
    if (table.row_start[i] > table.row_start[i + 1] || table.row_start[i] < 0)
      fail(i, "row_start " + std::to_string(table.row_start[i]) + " is negative or above the next one, " +
                  std::to_string(table.row_start[i + 1]));
  for (std::size_t i = 0; i < table.n; ++i) {
    std::int32_t last = -1;
    for (std::int64_t k = table.row_start[i]; k < table.row_start[i + 1]; last = table.column[k++]) {
      if (table.column[k] < 0 || static_cast<std::size_t>(table.column[k]) >= table.d)
        fail(i, "column " + std::to_string(table.column[k]) + " is not between 0 and " +
                    std::to_string(table.d - 1));
      if (table.column[k] <= last)
        fail(i, "column " + std::to_string(table.column[k]) + " comes after column " + std::to_string(last) +
                    ": columns must increase");
    }
  }
}

void check_sparse_values(const SparseView& table, std::size_t row) {
  for (std::int64_t k = table.row_start[row]; k < table.row_start[row + 1]; ++k)
    if (!std::isfinite(table.value[k]))
      throw data_error("row " + std::to_string(row) + ", feature " + std::to_string(table.column[k]) +
                       (std::isnan(table.value[k])
                            ? " is missing: sparse rows must have numbers, and a missing value is "
                              "not zero"
                            : " is not a finite number"));
}

SparseRows take_rows(const SparseView& from, std::span<const std::size_t> rows) {
  SparseRows out;
  out.d = from.d;
  std::size_t entries = 0;
  for (const std::size_t i : rows)
    entries += static_cast<std::size_t>(from.row_start[i + 1] - from.row_start[i]);
  out.row_start.reserve(rows.size() + 1);
  out.column.reserve(entries);
  out.value.reserve(entries);
  for (const std::size_t i : rows) out.add_row(from, i);
  return out;
}

void write_dense(const SparseView& from, std::size_t first, std::size_t count, double* out) {
  std::fill_n(out, count * from.d, 0.0);
  for (std::size_t i = 0; i < count; ++i)
    for (std::int64_t k = from.row_start[first + i]; k < from.row_start[first + i + 1]; ++k)
      out[i * from.d + static_cast<std::size_t>(from.column[k])] = from.value[k];
}

bool stays_sparse(std::size_t n, std::size_t d, std::size_t entries) {
  constexpr double fullest = 0.1, most_cells = 0x1p28;
  constexpr std::size_t widest_dense = 1000;
  const double cells = static_cast<double>(n) * static_cast<double>(d);
  return static_cast<double>(entries) < fullest * cells && (d > widest_dense || cells > most_cells);
}

}  // namespace induce::detail
