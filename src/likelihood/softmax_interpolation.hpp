// How softmax.cpp reads the table of softmax_table.hpp: a few rows are combined into one for the s of a class, and then
// its columns into the values at the nodes. All nodes of a class have the same fractional position between columns,
// so there is one set of weights for each class.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "likelihood/softmax_table.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/types.hpp"
#include "linalg/vector_math.hpp"

namespace induce::detail::softmax {

inline constexpr Index chunk = 16;  // nodes at a time; constant, since short loops of varying length are slow
inline constexpr Index window = 2 * chunk;  // columns that the nodes of a chunk need, and some
static_assert(window >= chunk + column_points - 1);

using RowWeights = std::array<double, row_points>;
using ColumnWeights = std::array<double, column_points>;

// Row k: the coefficients of f^k in the Lagrange polynomials of n points at f after the point n/2 - 1.
template <std::size_t n>
constexpr std::array<std::array<double, n>, n> lagrange_coefficients() {
  constexpr std::size_t before = n / 2 - 1;
  std::array<std::array<double, n>, n> out{};
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, n> polynomial{1.0};
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const double root =
          static_cast<double>(j) - static_cast<double>(before);  // factor (f - root) / (i - j)
      const double scale = 1.0 / (static_cast<double>(i) - static_cast<double>(j));
      for (std::size_t k = n; k-- > 0;) {
        polynomial[k] = ((k > 0 ? polynomial[k - 1] : 0.0) - root * polynomial[k]) * scale;
      }
    }
    for (std::size_t k = 0; k < n; ++k) out[k][i] = polynomial[k];
  }
  return out;
}
template <std::size_t n>
inline constexpr std::array<std::array<double, n>, n> lagrange = lagrange_coefficients<n>();

// The weights of the points, and their derivatives times `scale`.
template <std::size_t n>
INDUCE_ALWAYS_INLINE void set_weights(double f, std::array<double, n>& value) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) {
    double v = lagrange<n>[n - 1][i];
    for (std::size_t k = n - 1; k-- > 0;) v = v * f + lagrange<n>[k][i];
    value[i] = v;
  }
}

template <std::size_t n>
INDUCE_ALWAYS_INLINE void set_weights(double f, double scale, std::array<double, n>& value,
                                      std::array<double, n>& slope) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) {
    double v = lagrange<n>[n - 1][i], d = 0;
    for (std::size_t k = n - 1; k-- > 0;) {
      d = d * f + v;
      v = v * f + lagrange<n>[k][i];
    }
    value[i] = v;
    slope[i] = d * scale;
  }
}

// out[i] = eta (or what the level has) at column + i.
INDUCE_ALWAYS_INLINE void combine_rows(const Level& level, Index first_row, const RowWeights& weights,
                                       Index column, Index count, double* out) {
  const double* in = level.at(first_row, column);
  const Index n = level.columns;
  const RowWeights w = weights;
#pragma omp simd
  for (Index i = 0; i < count; ++i) {
    out[i] = ((w[0] * in[i] + w[1] * in[i + n]) + (w[2] * in[i + 2 * n] + w[3] * in[i + 3 * n])) +
             (w[4] * in[i + 4 * n] + w[5] * in[i + 5 * n]);
  }
}

// The same for a window in steps of h, from a level whose steps are 2, 4, .. 2^halvings times h: grids of these
// steps, each from the one before by interpolation halfway between its columns.
INDUCE_ALWAYS_INLINE void refine(const Level& level, Index first_row, const RowWeights& weights,
                                 Index halvings, Index column, double* out) {
  constexpr Index reach = column_points / 2 - 1;
  // Where the grid of steps 2^i h must begin, and its size.
  const auto first = [&](Index i) {
    Index at = column;
    for (; i > 0; --i) at = (at >> 1) - reach;
    return at;
  };
  const auto size = [](Index i) {
    Index n = window;
    for (; i > 0; --i) n = n / 2 + column_points;
    return n;
  };
  double coarse[window + column_points], fine[window + column_points];  // no grid is larger
  ColumnWeights w;
  set_weights(0.5, w);
  combine_rows(level, first_row, weights, first(halvings), size(halvings), fine);
  for (; halvings > 0; --halvings) {
    std::copy_n(fine, size(halvings), coarse);
    const Index odd = first(halvings - 1) & 1, n = size(halvings - 1);
    for (Index i = odd; 2 * i - odd < n; ++i) fine[2 * i - odd] = coarse[i + reach];
    for (Index i = 0; 2 * i + 1 - odd < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < column_points; ++j) sum += w[j] * coarse[i + static_cast<Index>(j)];
      fine[2 * i + 1 - odd] = sum;
    }
  }
  std::copy_n(fine, window, out);
}

// value[j] += sum_i v[i] x[j + i] and slope[j] += sum_i d[i] x[j + i] over half of the points: with all of them the
// weights do not fit into the registers.
template <bool derivatives, bool add>
INDUCE_ALWAYS_INLINE void add_columns(const double* x, const double* v, const double* d, double* value,
                                      double* slope) {
#pragma omp simd
  for (Index j = 0; j < chunk; ++j) {
    double sum = add ? value[j] : 0.0, sum_a = add && derivatives ? slope[j] : 0.0;
    for (Index i = 0; i < column_points / 2; ++i) {
      const double x_i = x[j + i];
      sum += v[i] * x_i;
      if constexpr (derivatives) sum_a += d[i] * x_i;
    }
    value[j] = sum;
    if constexpr (derivatives) slope[j] = sum_a;
  }
}

// value[j] = sum_i v[i] x[j + i] and slope[j] = sum_i d[i] x[j + i].
template <bool derivatives>
INDUCE_ALWAYS_INLINE void combine_columns(const double* x, const ColumnWeights& v, const ColumnWeights& d,
                                          double* value, double* slope) {
  constexpr Index half = column_points / 2;
  add_columns<derivatives, false>(x, v.data(), d.data(), value, slope);
  add_columns<derivatives, true>(x + half, v.data() + half, d.data() + half, value, slope);
}

}  // namespace induce::detail::softmax
