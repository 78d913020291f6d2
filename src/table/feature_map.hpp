// Maps the columns of a table to the features of a kernel, and from the user's units to the model's and back:
//   x_model = standardise( psi((x - origin)/unit; exponent) ),
// where psi is the Yeo-Johnson transform, or the identity for unwarped features. A stationary kernel has one
// length scale per feature, so it handles heavy tails badly; powers or logarithms remove them.
//
// Psi bends at 0, so the origin matters. Two origins are tried for each feature, and the one with the higher
// likelihood is kept: zero, with unit median |x| (amounts, counts, ratios), and the mean, with unit one
// standard deviation (features without a natural zero). Neither depends on the user's unit of measurement.
//
// Only values of numbers are warped and scaled; a missing one becomes 0, the mean. The other features of an encoding are
// 0 or 1 and stay so.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "table/encoding.hpp"
#include "table/standardizer.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

struct FeatureMap {
  Vector origin, unit, exponent;  // d each, or empty: not warped
  Standardizer standardizer;      // applied after warping
  Encoding encoding{};            // applied first

  // All need at least one row.
  static FeatureMap standardized(const MemoryStore& X, Workers& workers, const Encoding& encoding = {});
  // One scale for all features, where they are of one kind: pixels, points of a spectrum. Standardising would blow up the
  // quiet ones, which are mostly noise. Empty if the features do not look alike: fewer than 16, or of different ranges. For a
  // plain encoding.
  static std::optional<FeatureMap> one_scale(const MemoryStore& X, Workers& workers);
  // No scaling. Centring avoids a loss of digits if the data are far from the origin.
  static FeatureMap centred(const MemoryStore& X, Workers& workers, const Encoding& encoding = {});
  // `heavy_tails`: warps only features whose tails are far from normal. In a table of many kinds of columns the others
  // may be better as they are.
  enum class Warped { all, heavy_tails };
  static FeatureMap yeo_johnson(const MemoryStore& X, Workers& workers, Warped which = Warped::all,
                                const Encoding& encoding = {});

  bool warped() const { return exponent.size() > 0; }
  Index warped_features() const;  // whose exponent is not 1
  std::string name() const { return warped() ? "yeo-johnson" : "none"; }
  Index features() const { return standardizer.features(); }
  Index columns() const { return encoding.is_plain() ? features() : encoding.columns(); }
  Index column_of(Index feature) const { return encoding.is_plain() ? feature : encoding.column_of(feature); }
  Index group_of(Index feature) const { return encoding.is_plain() ? feature : encoding.group_of()[feature]; }
  // The feature with the value of a column; -1: the column is not a number.
  Index value_of(Index column) const { return encoding.is_plain() ? column : encoding.value_of(column); }

  // x: rows x columns, out: rows x features, row-major. They may be the same array if the encoding is plain.
  void apply(const double* x, Index rows, double* out) const;
  RowMatrix apply(TableView X, Workers& workers) const;
  // Maps the rows of the table with these indices.
  RowMatrix apply(TableView X, std::span<const Index> rows, Workers& workers) const;

  RowMatrix undo(RowMatrix X) const;  // features from the model's units to the user's
};

}  // namespace induce::detail
