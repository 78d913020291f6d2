// Views of the caller's data: neither owned nor copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

// Labels that are not classes: for each row how many of its trials were successes. Without trials, shares from 0 to 1.
struct Trials {
  std::span<const double> successes{};
  std::span<const double> trials{};
};

// Rows that belong together, such as those of a person or of a day. Whatever a fit holds out or leaves out to judge itself,
// rows of one group are on one side.
struct Groups {
  std::span<const int> of{};  // for each row the number of its group, from 0; empty: each row is on its own
  bool in_time = false;  // groups are moments in their order, and the rows that are held out are the latest
};

}  // namespace induce
