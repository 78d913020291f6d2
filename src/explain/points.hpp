// The points at which the effect of a column is computed, and where the rows are between them.
//
// A number has its own few values or a grid of values; a number with features for repeated values has those values; a
// category has its levels with features, and all others as one if rows have them. If the column has gaps, a missing value is the last point.
#pragma once

#include <vector>

#include "explain/grid.hpp"
#include "explain/sample.hpp"
#include "linalg/types.hpp"
#include "table/feature_map.hpp"

namespace induce::detail {

class ColumnPoints {
 public:
  // `range`: of a number without features for repeated values; then `points` values at most. `other`: some rows have a level
  // without a feature of its own.
  ColumnPoints(const FeatureMap& map, Index column, const FeatureRange& range, Index points,
               bool other = true);

  std::size_t column() const { return column_; }
  Index first() const { return first_; }         // of the column's features
  Index features() const { return at_.rows(); }  // of the column
  Index count() const { return at_.cols(); }
  const Matrix& at() const { return at_; }  // features x points, in the model's units
  // A row for each point, of `features` features, of which all but this column's are 0.
  RowMatrix rows(Index features) const;
  // In the user's units, or indices of levels, the last of which may stand for all others; without the missing value.
  const std::vector<double>& values() const { return values_; }
  bool has_missing() const { return missing_; }

  // The share of the rows of X (all features) at each point. A row between two points counts for both.
  Vector shares(const RowMatrix& X, Index rows) const;
  // The piecewise linear function with values y at the points, at a row.
  double interpolate(const Vector& y, const RowMatrix& X, Index row) const;
  // Keeps the ends and the middle of a grid; not for levels.
  void thin();

  // A stationary kernel depends on the difference of two points only. `differences` has the different ones, one per column,
  // and `which_difference(g, h)` which of them a pair has.
  struct Differences {
    Matrix differences;                // features x their number; the first one is 0
    Eigen::MatrixXi which_difference;  // points x points
  };
  Differences differences() const;

 private:
  FeatureGrid::Position position_of(const RowMatrix& X, Index row) const;

  std::size_t column_ = 0;
  Index first_ = 0, value_ = -1;  // value_: the feature with the number, counted from the first; -1: levels
  Index level_first_ = 0;         // the first feature of levels, counted from the first
  bool missing_ = false, levels_ = false;
  Matrix at_;
  std::vector<double> values_;
  FeatureGrid grid_;  // of the number, without the missing value
};

}  // namespace induce::detail
