// A view of the caller's data: neither owned nor copied.
#pragma once

#include <cstddef>

namespace induce {

// n rows of d features each, row-major (C order).
struct TableView {
  const double* x = nullptr;
  std::size_t n = 0;
  std::size_t d = 0;

  const double* row(std::size_t i) const { return x + i * d; }
};

}  // namespace induce
