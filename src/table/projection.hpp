// A few linear features of sparse rows: z = W'x, q numbers instead of p columns. W has a row for each column in use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <induce/table.hpp>

#include "linalg/types.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

struct Projection {
  std::size_t width = 0;               // p: columns of a table
  std::vector<std::int32_t> column{};  // those in use, increasing
  RowMatrix W{};                       // a row for each of them, q columns

  Index features() const { return W.cols(); }
  // The features of one row; columns that are not in use have no influence.
  void apply(const SparseView& table, std::size_t row, double* out) const;
  RowMatrix apply(const SparseView& table, Workers& workers) const;
  std::vector<std::string> names() const;  // "direction 1", ...
};

}  // namespace induce::detail
