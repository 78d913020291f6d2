// LIBSVM text as a table in memory, before labels become classes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "linalg/types.hpp"
#include "rows/sparse_rows.hpp"

namespace induce::detail {

struct ParsedTable {
  RowMatrix X{};  // n x d; empty if the table stays sparse
  std::optional<SparseRows> sparse{};
  std::vector<std::string_view> labels{};  // one per row, views of the text; empty if there are none
};

}  // namespace induce::detail
