// The rows of a table for a fitted model, block by block, in memory that does not depend on their number.
//
// The kinds and levels of its columns and its classes are known, so a block needs nothing of the rows after it. What is
// checked are the same rules as in read.hpp, with two differences. An error is that of the first block that has one. And
// numbers with decimal commas must show their style early: if "1,234" may be either and only later blocks could tell, or if
// decimal commas come after a block of plain numbers, it is an error. LIBSVM text with more than 1,000 features may stay
// sparse and is one block.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "read/read_options.hpp"
#include "linalg/types.hpp"
#include "rows/sparse_rows.hpp"

namespace induce::detail {

struct TableBlock {
  RowMatrix X;
  std::optional<SparseRows> sparse{};  // in place of X
  std::vector<int> y;                  // empty if the table has no labels
  std::vector<std::string> ids;        // empty if there is no id column
  std::string id_name;
};

struct StreamedTable {
  std::size_t rows = 0;  // in all blocks
  std::size_t rows_without_label = 0;
  std::vector<std::string> warnings;  // one line each
};

// `options` must have expected columns (CSV) or features (LIBSVM). Calls `use` for every block, the last one after all checks:
// a table of one block is used only if it has no fault. Throws an Error.
StreamedTable stream_rows(const std::vector<std::string>& paths, const ReadOptions& options,
                          const std::function<void(const TableBlock&)>& use);

}  // namespace induce::detail
