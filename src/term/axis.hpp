// The axis of a column: its values become positions on a grid, the same for all rows.
//
// The entries of the grid are one for each feature of the column that is 0 or 1 (a level, a repeated value, a gap), and the
// knots of its number, in this order. A row whose number lies between two knots has a position between two whole numbers;
// every other row has a whole one. Beyond the first and the last knot the position stays there.
//
// A function with the value u_k at entry k is, at position t with k = floor(t) and share = t - k,
//   (1 - share) u_k + share u_{k+1},
// two entries of the grid for every row. u ~ N(0, R): a level has nothing to do with the others, and
//   R_kl = (1 + r) e^-r,  r = sqrt(3) |rank_k - rank_l| / l          (Matern 3/2)
// for knots, where the rank of a value is the share of rows below it and half of those at it: a length-scale is a share of the rows, whatever
// the unit of the column.
#pragma once

#include <algorithm>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

struct Axis {
  Index first = 0, count = 0;        // the features of the column
  Index value = -1;                  // the one that is a number; -1: none
  std::vector<double> knots, ranks;  // of the number, increasing, in the model's units

  Index levels() const { return count - (value >= 0); }
  Index size() const { return levels() + static_cast<Index>(knots.size()); }
  bool has_lengthscale() const { return knots.size() > 1; }
  // x: the features of a row.
  double position(const double* x) const;
  // Of a row between two entries: the first of them, and the share of the second.
  struct Place {
    Index entry;
    double share;
  };
  Place place(const double* x) const {
    const double at = position(x);
    const Index entry = std::min(static_cast<Index>(at), size() - 2);
    return {entry, at - static_cast<double>(entry)};
  }

  bool operator==(const Axis&) const = default;
};

// `number`: weighted values, in any order. All values are knots if there are at most `most`, else about so many
// quantiles, with both ends.
void place_knots(Axis& axis, std::vector<std::pair<double, double>> number, Index most);

// At one length-scale: C C' = R + nugget I, and how R changes with it.
struct PlacedAxis {
  PlacedAxis(const Axis& axis, double lengthscale);

  Matrix C;  // lower triangular
  // C^-1 (dR/dlog l) C^-T; empty without a length-scale. Its eigenvalues are bounded, even if R is nearly singular.
  Matrix E;
};

}  // namespace induce::detail
