// Views of the caller's numbers. Nothing here owns or copies.
#pragma once

#include <cstddef>

namespace induce {

// n rows of d features each, row after row (C order).
struct TableView {
  const double* x = nullptr;
  std::size_t n = 0;
  std::size_t d = 0;

  const double* row(std::size_t i) const { return x + i * d; }
};

}  // namespace induce
