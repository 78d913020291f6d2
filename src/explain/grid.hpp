// The values at which the effect of a feature is computed, and the distribution of the feature over them.
#pragma once

#include <vector>

#include "explain/sample.hpp"
#include "linalg/types.hpp"

namespace induce {

// What decides the grid of a feature: its own values if there are at most 12, else a range.
struct FeatureRange {
  std::vector<double> few;     // in the user's units, increasing
  std::vector<double> few_at;  // the same in the model's units
  double low = 0, high = 0;    // 1 % and 99 % quantile in the model's units
};

FeatureRange range_of(const WeightedRows& rows, const RowSample& sample, Index feature);

// Increasing values with the share p_g of the rows at each. A row between two values counts for both, in
// proportion to its distance; a row beyond the ends counts for the end.
class FeatureGrid {
 public:
  FeatureGrid() = default;
  explicit FeatureGrid(Vector at) : at_(std::move(at)) {}

  Index points() const { return at_.size(); }
  const Vector& at() const { return at_; }  // in the model's units

  // The piecewise linear function with values y on the grid, at x.
  double interpolate(const Vector& y, double x) const;
  // p_g over x; x must not be empty.
  Vector shares(const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& x) const;

 private:
  struct Place {
    Index left = 0;
    double right_share = 0;  // of the next point
  };
  Place place_of(double x) const;

  Vector at_;
};

}  // namespace induce
