// The rows of a table, in order, when the shape of the table is known: features with the numbers of their texts,
// classes and weights, without rows that have no label and columns that are left out.
#pragma once

#include <cstddef>
#include <vector>

#include "read/raw_rows.hpp"
#include "read/table_shape.hpp"

namespace induce::detail {

// Missing values of the rows that were delivered.
struct Gaps {
  std::vector<std::size_t> missing;  // of each feature
  std::size_t rows = 0;              // with a missing value
};

class FinalRows {
 public:
  // All must outlive it.
  FinalRows(const TableShape& shape, RawRows& raw, bool release = false);

  // Writes up to `most` rows and returns how many; 0: there are no more. x: row-major; `number`: of the raw row. All but x may
  // be nullptr.
  std::size_t next(std::size_t most, double* x, int* y, double* weight, std::size_t* number = nullptr);
  void rewind();

  const Gaps& gaps() const { return gaps_; }

 private:
  void convert(const double* row, double* x);

  const TableShape& shape_;
  RawRows& raw_;
  bool release_;    // raw rows that were delivered
  bool keeps_all_;  // features of the raw rows
  std::size_t next_ = 0, in_buffer_ = 0, used_ = 0;
  const double* rows_ = nullptr;  // in_buffer_ of them, before next_
  std::vector<double> buffer_;    // for rows that are not in memory
  Gaps gaps_;
};

// Adds the missing values of the rows to the columns' summaries.
void add_gaps(const Gaps& gaps, std::vector<ColumnSummary>& columns, std::size_t& rows_with_gaps);

}  // namespace induce::detail
