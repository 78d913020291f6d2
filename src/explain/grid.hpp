// The values at which the effect of a feature is computed, and the distribution of the feature over them.
#pragma once

#include <vector>

#include "explain/sample.hpp"
#include "linalg/types.hpp"

namespace induce::detail {

// What decides the grid of a feature: its own values if there are at most 12, else a range.
struct FeatureRange {
  std::vector<double> few;     // in the user's units, increasing
  std::vector<double> few_at;  // the same in the model's units
  double low = 0, high = 0;    // 1 % and 99 % quantile in the model's units

  void clip(double lowest, double highest);  // the quantiles
};

// The range of a column of numbers without its gaps; `feature` has its value.
FeatureRange range_of(const MemoryStore& rows, const RowSample& sample, Index column, Index feature);
// Its own values if there are at most `most`, else so many quantiles: as many rows around each.
FeatureRange quantiles_of(const MemoryStore& rows, const RowSample& sample, Index column, Index feature,
                          Index most);

// Increasing values. A row between two of them counts for both, in proportion to its distance; a row beyond the ends counts
// for the end.
class FeatureGrid {
 public:
  FeatureGrid() = default;
  explicit FeatureGrid(Vector at) : at_(std::move(at)) {}

  Index points() const { return at_.size(); }
  const Vector& at() const { return at_; }  // in the model's units

  struct Position {
    Index left = 0;
    double right_share = 0;  // of the next point
  };
  Position position_of(double x) const;

 private:
  Vector at_;
};

}  // namespace induce::detail
