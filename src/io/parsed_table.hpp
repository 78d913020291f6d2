// The result of a parser, before labels become classes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/columns.hpp>

#include "io/dataset.hpp"
#include "linalg/types.hpp"
#include "rows/sparse_rows.hpp"

namespace induce {

struct ParsedTable {
  RowMatrix X{};  // n x d; empty if the table stays sparse
  std::optional<SparseRows> sparse{};
  std::vector<std::string_view>
      labels{};  // one per row, views of the text, unprocessed; empty if there are none
  std::string label_name{};
  std::vector<std::string> feature_names{};
  std::vector<double> weights{};  // empty if not requested
  std::string weight_name{};
  std::vector<std::string_view> ids{};  // like labels
  std::string id_name{};
  std::vector<Column> columns{};           // one per feature; empty: all are numbers
  std::vector<ColumnSummary> summaries{};  // missing values are counted for columns that are left out only
  std::vector<std::size_t> left_out{};     // columns of the file that are neither label, weight nor feature
  std::vector<std::string> warnings{};
};

}  // namespace induce
