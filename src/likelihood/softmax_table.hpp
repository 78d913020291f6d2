// eta(a, s) = log H(a, s) with H = -log phi and phi(a, s) = E exp(-exp(a + s eps)), eps ~ N(0, 1), as a table.
// softmax.cpp interpolates it; the table knows how fine it must be.
#pragma once

#include <array>
#include <vector>

#include "linalg/types.hpp"

namespace induce::softmax {

inline constexpr Index points = 8;             // of the Lagrange interpolation, in a and in t = asinh(s)
inline constexpr double row_step = 1.0 / 32;   // between rows, in t
inline constexpr double node_step = 0.375;     // of the trapezoid rule at level 0; 2^L times that at level L
inline constexpr double column_step = 0.1875;  // between columns at level 0: half a node step
inline constexpr Index levels = 14;
inline constexpr double largest_s = 16384;  // 2^levels
inline constexpr double right_H = 25;       // phi = e^-25 is neglected

// The rows for s in [2^level, 2^(level + 1)), and for s in [0, 4) at level 0, with those beside them that the
// interpolation needs. Row i is t = i row_step; s = |sinh t|, because eta is even in s. Column k is
// a = k delta, delta = 2^level column_step: the larger s, the smoother eta. Nodes are two columns apart, so the
// even columns of a row come first, then the odd ones.
struct Level {
  Index first_row, first_column, columns;  // the latter two are even
  double delta;
  std::vector<double> eta;  // rows x columns

  Index index(Index row, Index column) const {
    const Index k = column - first_column;
    return (row - first_row) * columns + (k >> 1) + (k & 1) * (columns / 2);
  }
  const double* at(Index row, Index column) const { return eta.data() + index(row, column); }
  // H < 1e-10 left of this a, and there are enough columns to interpolate right of it.
  double left_edge() const { return static_cast<double>(first_column + points) * delta; }
};

struct Table {
  std::array<Level, levels> level;
  // For every row: where H = right_H, and where H is so small that the sums left of it can be closed as
  // geometric series.
  std::vector<double> right, left;
};

// Built at the first call (about 20 ms).
const Table& table();

}  // namespace induce::softmax
