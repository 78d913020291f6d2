// A table with its labels, as returned by the readers. How a cell of each kind of column is stored: induce/columns.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <induce/model.hpp>
#include <induce/table.hpp>

#include "linalg/types.hpp"
#include "rows/sparse_rows.hpp"

namespace induce::detail {

// What became of a column of the file, for summaries.
struct ColumnSummary {
  std::string name;
  std::string kind;  // that of induce/columns.hpp, or of a column that is left out: "id", "empty", "dropped"
  std::size_t missing = 0;               // rows
  std::size_t levels = 0;                // different values of a category or boolean
  std::optional<std::size_t> feature{};  // its number; none if the column is left out
  std::size_t number = 0;                // of the column in the file
  std::string shown{};                   // in messages: "column 3 ('age')"
  bool declared = false;                 // the options say what it is
  std::size_t padded = 0;                // numbers with leading zeros
};

struct Dataset {
  RowMatrix X;                       // n x d; empty if the table stays sparse
  std::optional<SparseRows> sparse;  // see rows/sparse_rows.hpp
  std::vector<int> y;                // indices into names.classes; empty if the file has no labels
  Names names;
  std::vector<double> weights;         // one per row; empty: all 1
  std::vector<double> successes;       // one per row, if labels are counts or shares; y is then 0 for all
  std::vector<double> trials;          // of these; empty: shares
  std::vector<std::string> ids;        // the texts of the id column; empty if there is none
  std::string id_name;                 // of that column; "id" without a header
  std::vector<ColumnSummary> columns;  // all columns but label, weight and id, in the order of the file
  std::vector<std::size_t> left_out;   // columns of the file that are neither label, weight nor feature
  std::size_t rows_with_gaps = 0;      // rows with a missing value
  std::size_t rows_without_label = 0;  // that were left out
  std::vector<std::string> warnings;   // one line each

  std::size_t rows() const { return sparse ? sparse->n() : static_cast<std::size_t>(X.rows()); }
  std::size_t features() const { return sparse ? sparse->d : static_cast<std::size_t>(X.cols()); }
  Trials counts() const { return {successes, trials}; }
  // A view of a table that is not sparse.
  TableView view() const {
    return {X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
  }
};

}  // namespace induce::detail
