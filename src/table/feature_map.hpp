// From the user's features to the model's and back:
//   x_model = standardise( psi((x - origin)/unit; exponent) ),   psi the Yeo-Johnson transform, or the
// identity where nothing is warped. A stationary kernel sees one scale per feature, so a heavy tail costs it
// dearly; in powers or logarithms the same feature is even.
//
// Psi bends at 0, so where 0 lies matters. Two places are tried for each feature and the likelier kept: the
// feature's own zero with unit median |x| (amounts, counts, ratios), and its mean with unit one standard
// deviation (what has no zero of its own). Neither depends on the unit the user measures in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "table/standardizer.hpp"
#include "rows/workers.hpp"

namespace induce {

struct FeatureMap {
  Vector origin, unit, exponent;  // d each, or empty: not warped
  Standardizer standardizer;      // of what is warped

  static FeatureMap standardized(const WeightedRows& X, Workers& workers);  // needs at least one row
  static FeatureMap centred(const WeightedRows& X,
                            Workers& workers);  // no scaling: a far origin would cost digits
  static FeatureMap yeo_johnson(const WeightedRows& X, Workers& workers);

  bool warped() const { return exponent.size() > 0; }
  std::string name() const { return warped() ? "yeo-johnson" : "none"; }
  Index features() const { return standardizer.features(); }

  // `rows` rows of d numbers each, row after row; out may be x.
  void apply(const double* x, Index rows, double* out) const;
  RowMatrix apply(TableView X, Workers& workers) const;
  // The rows of the table with these numbers.
  RowMatrix apply(TableView X, std::span<const Index> rows, Workers& workers) const;

  RowMatrix undo(RowMatrix X) const;  // from the model's units to the user's
};

}  // namespace induce
