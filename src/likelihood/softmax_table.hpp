// eta(a, s) = log H(a, s) with H = -log phi and phi(a, s) = E exp(-exp(a + s eps)), eps ~ N(0, 1), as a table.
// softmax.cpp interpolates it.
//
// Column k is a = k delta, where delta is the distance of the nodes of the integral. The larger s, the smoother eta:
// with Lagrange's formula for 14 columns, delta = .375 is fine enough for all s, and .375 2^L for s >= 1.25 2^L.
// Row i is s as a function of t = i / rows_per_t, for the formula with 6 rows: t = s / sqrt(1 + s^2/10) at level 0 (odd
// in s, as eta is even), t = s / 2^L at level L.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "linalg/multiversion.hpp"
#include "linalg/types.hpp"

namespace induce::detail::softmax {

inline constexpr Index row_points = 6, column_points = 14;
inline constexpr double node_step = 0.375;
inline constexpr Index levels = 13;
inline constexpr double largest_s = 1.25 * 8192;  // where the last level ends
inline constexpr double right_H = 25;             // phi = e^-25 is neglected

// The level of s. Level 0 has the rows of level 1, too.
INDUCE_ALWAYS_INLINE Index level_of(double s) {
  return s < 2.5 ? 0 : static_cast<Index>(std::bit_cast<std::uint64_t>(0.8 * s) >> 52) - 1023;
}

struct Level {
  Index first_row, first_column, columns;
  double delta, rows_per_t, scale;  // scale: 2^-L
  bool finest;                      // level 0
  std::vector<double> eta;          // rows x columns; at level 0 exp(eta - a/2), which is as smooth
  // For every row: where H = right_H, where H = right_H / 4, and where H is so small that the sums left of it
  // can be closed as geometric series.
  std::vector<double> right, right_of_four, left;

  // The position of s among the rows, counted from the first one.
  INDUCE_ALWAYS_INLINE double row_of(double s) const {
    const double t = finest ? s / std::sqrt(1 + 0.1 * s * s) : s * scale;
    return t * rows_per_t - static_cast<double>(first_row);
  }
  const double* at(Index row, Index column) const {
    return eta.data() + row * columns + (column - first_column);
  }
  // H < 1e-10 left of this a, and there are enough columns to interpolate right of it.
  double left_edge() const { return static_cast<double>(first_column + column_points) * delta; }
};

struct Table {
  std::array<Level, levels> level;
};

// Built at the first call (about 15 ms).
const Table& table();

}  // namespace induce::detail::softmax
