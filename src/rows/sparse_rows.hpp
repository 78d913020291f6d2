// Rows with few entries that are not zero, stored without the zeros (induce/table.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <induce/table.hpp>

#include "linalg/types.hpp"

namespace induce::detail {

// Column numbers are often hashes of 2^24 values at most. Beyond, lists with a number for each column would take more memory
// than the entries.
inline constexpr std::size_t most_sparse_columns = 20'000'000;

struct SparseRows {
  std::size_t d = 0;
  std::vector<std::int64_t> row_start{0};  // n + 1
  std::vector<std::int32_t> column;
  std::vector<double> value;

  std::size_t n() const { return row_start.size() - 1; }
  SparseView view() const { return {n(), d, row_start.data(), column.data(), value.data()}; }

  // The nonzero entries of a row of d numbers.
  void add_dense(const double* row);
  // Row i of a view, without entries that are zero.
  void add_row(const SparseView& from, std::size_t i);
};

// Throws a data Error unless columns are below d and increase within each row.
void check_entries(const SparseView& table);
// Throws a data Error if a value of the row is not a finite number.
void check_sparse_values(const SparseView& table, std::size_t row);

SparseRows take_rows(const SparseView& from, std::span<const std::size_t> rows);

// Writes rows [first, first + count) with their zeros, row-major.
void write_dense(const SparseView& from, std::size_t first, std::size_t count, double* out);

// Whether a table stays sparse from file to kernel: it is less than a tenth full, and wide (more than 1,000 columns) or large
// (more than 2^28 cells, 2 GB with its zeros). Other tables are fitted with their zeros, because a dense table has
// length-scales for each column, warps and learned inducing inputs. Free memory must not decide which model is fitted.
bool stays_sparse(std::size_t n, std::size_t d, std::size_t entries);

}  // namespace induce::detail
