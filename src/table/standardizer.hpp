// Features to mean 0 and variance 1 (with 1/n, as scikit-learn's StandardScaler), and back.
//
// Fitted in three passes so that nothing cancels, overflows or underflows before the data themselves do: the
// range of each feature, then its mean, then its variance in units of its half-range. Offsets of 1e9 times
// the spread and scales from 1e-150 to 1e150 are no different from others.
#pragma once

#include <vector>

#include <induce/table.hpp>

#include "table/weighted_rows.hpp"
#include "linalg/types.hpp"

namespace induce {

struct Standardizer {
  Vector shift;                 // d; x_model = (x - shift) / scale
  Vector scale;                 // d, all > 0
  std::vector<Index> constant;  // features whose values differ by rounding at the most; their scale is 1

  static Standardizer fit(TableView X);  // needs at least one row
  static Standardizer fit(const WeightedRows& X);
  static Standardizer identity(Index features);  // leaves every number as it is

  Index features() const { return shift.size(); }

  // `rows` rows of d numbers each, row after row; out may be x.
  void apply(const double* x, Index rows, double* out) const;
  void apply_row(const double* x, double* out) const { apply(x, 1, out); }
  RowMatrix apply(TableView X) const;  // throws an Error if X has another number of features

  // From the model's units to the user's; throws an Error if X has another number of features.
  RowMatrix undo(RowMatrix X) const;
};

}  // namespace induce
