// A table of numbers with its labels, as returned by the readers.
#pragma once

#include <vector>

#include <induce/model.hpp>

#include "linalg/types.hpp"

namespace induce {

struct Dataset {
  RowMatrix X;         // n x d
  std::vector<int> y;  // 0 or 1, an index into names.classes; empty if the file has no labels
  Names names;
  std::vector<double> weights;  // one per row; empty: all 1

  TableView view() const {
    return {X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
  }
};

}  // namespace induce
