// Scales features to mean 0 and variance 1 (with 1/n, like scikit-learn's StandardScaler), and back.
//
// Computes the range of each feature, then its mean, then its variance in units of its half-range, to avoid
// cancellation, overflow and underflow. Offsets of 1e9 times the spread and scales from 1e-150 to 1e150 are
// handled like any others. Missing values (NaN) are left out.
#pragma once

#include <vector>

#include <induce/table.hpp>

#include "store/memory_store.hpp"
#include "linalg/types.hpp"

namespace induce::detail {

struct Standardizer {
  Vector shift;                 // d; x_model = (x - shift) / scale
  Vector scale;                 // d, all > 0
  std::vector<Index> constant;  // features that vary by at most rounding; their scale is 1

  static Standardizer fit(const MemoryStore& X, Workers& workers);  // needs at least one row
  static Standardizer identity(Index features);                     // leaves every value unchanged

  Index features() const { return shift.size(); }

  // x and out: rows x d, row-major; they may be the same array.
  void apply(const double* x, Index rows, double* out) const;
  void apply_row(const double* x, double* out) const { apply(x, 1, out); }
  RowMatrix apply(TableView X) const;  // throws an Error if X has the wrong number of features

  // From the model's units to the user's; throws an Error if X has the wrong number of features.
  RowMatrix undo(RowMatrix X) const;
};

}  // namespace induce::detail
