// What missing values may be: R typical values of each column, for rows with gaps that a model has not learned to judge.
//
// A fit learns what a gap means in columns that have gaps (table/encoding.hpp). A row is beyond that if a value is missing
// in a column that was complete, or if it has more gaps than any row of the training data. Its gaps are filled R times with
// values that are as frequent as in the training data, independently for each column. The R predictions vary as the
// prediction would with the values that are not known.
#pragma once

#include <span>
#include <vector>

#include "store/memory_store.hpp"

namespace induce::detail {

struct TypicalValues {
  Matrix values;              // R x columns; 0 in a column without values
  std::vector<bool> gaps;     // by column: had missing values in the training data
  std::size_t most_gaps = 0;  // in one row of the training data

  // `facts`: of all rows, of which the given ones may be a sample. `column_order`: by which columns are told apart, whatever
  // their order in the table (row_order.hpp).
  static TypicalValues find(const MemoryStore& rows, const RowFacts& facts,
                            std::span<const Index> column_order, Workers& workers);

  bool empty() const { return values.size() == 0; }  // of a model of an earlier version
  Index draws() const { return values.rows(); }
  bool has_new_gaps(const double* row) const;  // false if empty
  // Writes R rows: this one with its gaps filled.
  void complete(const double* row, double* out) const;
};

}  // namespace induce::detail
