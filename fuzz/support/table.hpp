// Properties of the data readers: an Error or a valid table. Used for both formats. The first byte of an input selects
// the read options, so that one corpus covers all of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <induce/error.hpp>

#include "read/raw_table.hpp"
#include "read/read.hpp"
#include "support/require.hpp"

namespace induce::fuzz {

// Numbers and dates are finite, levels are listed or the number of levels; NaN is a missing value.
inline void check_cells(const Dataset& data) {
  const std::vector<Column>& columns = data.names.columns;
  const auto d = static_cast<std::size_t>(data.X.cols());
  require(columns.empty() || columns.size() == d, "every feature has a kind");
  for (const Column& column : columns) {
    require(column.has_levels() || column.levels.empty(), "only categories and booleans have levels");
    require(std::is_sorted(column.levels.begin(), column.levels.end()), "levels are sorted");
    require(std::adjacent_find(column.levels.begin(), column.levels.end()) == column.levels.end(),
            "levels are different");
  }
  std::size_t rows_with_gaps = 0;
  for (Index i = 0; i < data.X.rows(); ++i) {
    bool gap = false;
    for (std::size_t f = 0; f < d; ++f) {
      const double x = data.X(i, static_cast<Index>(f));
      gap = gap || std::isnan(x);
      if (std::isnan(x)) {
        require(std::bit_cast<std::uint64_t>(x) ==
                    std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()),
                "a missing value carries nothing else");
        continue;
      }
      require(std::isfinite(x), "features are finite");
      if (columns.empty() || !columns[f].has_levels()) continue;
      require(x >= 0 && x <= static_cast<double>(columns[f].levels.size()) && x == std::floor(x),
              "a level is an index");
    }
    rows_with_gaps += gap ? 1 : 0;
  }
  require(data.rows_with_gaps == rows_with_gaps, "rows with gaps are counted");
  std::size_t features = 0;
  for (const ColumnSummary& column : data.columns) features += column.feature ? 1 : 0;
  require(data.columns.empty() || features == d, "every feature has a summary");
  require(data.ids.empty() || data.ids.size() == static_cast<std::size_t>(data.X.rows()),
          "every row has an id");
}

inline bool same_cells(const RowMatrix& a, const RowMatrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::equal(a.data(), a.data() + a.size(), b.data(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

// A model that was fitted to the table reads it as the table was read.
inline void check_as_model(std::string_view text, const Dataset& data, ReadOptions options) {
  if (data.names.features.empty() || data.rows_without_label > 0 || data.names.label.empty()) return;
  std::vector<std::string> names = data.names.features;
  names.insert(names.end(),
               {data.names.label, data.names.weight, data.id_name + (data.ids.empty() ? " id" : "")});
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) != names.end()) return;  // which column is meant is open
  options.expected_features = data.names.features;
  options.expected_columns = data.names.columns;
  options.classes = data.names.classes;
  options.known_label = data.names.label;
  options.categorical.clear();
  options.numeric.clear();
  options.only.clear();
  try {
    const Dataset again = parse_dataset(text, "input", options);
    require(same_cells(again.X, data.X), "a model reads its own training file");
  } catch (const Error& error) {
    require(std::string(error.what()).find("is not a") == std::string::npos,
            "a model takes the cells of its own training file");
  }
}

inline void check_sparse(const SparseRows& rows) {
  const std::size_t entries = rows.column.size();
  require(rows.row_start.front() == 0 && static_cast<std::size_t>(rows.row_start.back()) == entries &&
              rows.value.size() == entries,
          "rows have all entries");
  for (std::size_t i = 0; i < rows.n(); ++i)
    for (std::int64_t k = rows.row_start[i]; k < rows.row_start[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      require(rows.column[at] >= 0 && static_cast<std::size_t>(rows.column[at]) < rows.d, "columns exist");
      require(k == rows.row_start[i] || rows.column[at - 1] < rows.column[at], "columns increase");
      require(std::isfinite(rows.value[at]), "features are finite");
    }
}

inline void check(const Dataset& data, const ReadOptions& options) {
  const std::size_t n = data.rows(), d = data.features();
  require(n > 0 && d > 0, "the table has rows and features");
  if (data.sparse)
    check_sparse(*data.sparse);
  else
    check_cells(data);
  require(data.y.size() == n || (data.y.empty() && (!options.labels_required || options.ignore_labels)),
          "every row has a label");
  const std::vector<std::string>& classes = data.names.classes;
  for (const int y : data.y)
    require(y >= 0 && static_cast<std::size_t>(y) < classes.size(), "labels are indices of classes");
  require(classes.size() >= 2 || data.y.empty(), "there are two classes");
  require(std::set<std::string>(classes.begin(), classes.end()).size() == classes.size(),
          "classes have different names");
  require(data.weights.empty() || data.weights.size() == n, "every row has a weight");
  for (const double weight : data.weights)
    require(weight >= 0 && std::isfinite(weight), "weights are finite and not negative");
  require(data.names.features.empty() || data.names.features.size() == d, "every feature has a name");
  require(options.expected_count() == 0 || d == options.expected_count(),
          "the number of features is the expected one");
}

// In chunks of a record each: the same rows, or an Error.
inline void check_chunks(std::string_view text, const Dataset& data, const ReadOptions& options) {
  if (data.sparse) return;
  ReadPlan plan = plan_reading({Source("input", text)}, options);
  plan.chunk_bytes = 1;
  RawTable table(plan, RawRows());
  require(table.shape.rows == data.rows() && table.shape.features == data.features(),
          "chunks have all rows and columns");
  require(table.shape.data.warnings == data.warnings &&
              table.shape.data.names.columns == data.names.columns &&
              table.shape.data.names.classes == data.names.classes,
          "chunks have the same columns and classes");
  std::vector<double> x(data.rows() * data.features());
  std::vector<int> y(data.rows());
  require(table.next(data.rows(), x.data(), y.data(), nullptr) == data.rows(), "chunks have all rows");
  require(std::equal(x.begin(), x.end(), data.X.data(),
                     [](double a, double b) {
                       return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
                     }),
          "chunks have the same cells");
  require(data.y.empty() || y == data.y, "chunks have the same labels");
}

inline void read_table(std::string_view text, ReadOptions options) {
  options.threads = 1;
  try {
    const Dataset data = parse_dataset(text, "input", options);
    check(data, options);
    check_chunks(text, data, options);
    if (!options.expected_columns && options.expected_count() == 0) check_as_model(text, data, options);
  } catch (const Error&) {
  }
}

}  // namespace induce::fuzz
