// Views of the caller's data: neither owned nor copied.
#pragma once

#include <cstddef>
#include <cstdint>

namespace induce {

// n rows of d features each, row-major (C order).
struct TableView {
  const double* x = nullptr;
  std::size_t n = 0;
  std::size_t d = 0;

  const double* row(std::size_t i) const { return x + i * d; }
};

// The same with the zeros left out, as in scipy's CSR: row i has the entries row_start[i] to row_start[i + 1] - 1, each a
// column, increasing within a row, and a value, which is a number: there are no missing values.
struct SparseView {
  std::size_t n = 0;
  std::size_t d = 0;
  const std::int64_t* row_start = nullptr;  // n + 1
  const std::int32_t* column = nullptr;
  const double* value = nullptr;

  std::size_t entries() const { return n == 0 ? 0 : static_cast<std::size_t>(row_start[n] - row_start[0]); }
};

}  // namespace induce
