// The table of eta. With G(a) = exp(-e^a), phi(., s) is G convolved with N(0, s^2), and for s_0 < s it is
// phi(., s_0) convolved with N(0, s^2 - s_0^2). The trapezoid rule makes this a sum with Gaussian weights, whose
// error vanishes like exp(-2 pi^2 / x^2) for a step of x deviations. phi and 1 - phi are both summed (all terms
// positive), so that H = -log phi has a small relative error where phi is near 1 and where it is near 0.
//
//   level 0   sums of G with a step of column_step / 2^q, at most 3/4 of s
//   level l   sums of phi(., s_0), s_0 = 2^(l - 1), at the columns of level l, a step of 3/8 of s_0. phi(., s_0)
//             itself is summed from that of level l - 1.
#include "likelihood/softmax_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/multiversion.hpp"

namespace induce::softmax {
namespace {

// phi and 1 - phi at first delta, (first + 1) delta, ...
struct Wide {
  Index first;
  double delta;
  std::vector<double> phi, rest;
};

struct Weights {
  Index reach;
  std::vector<double> w;  // of -reach .. reach
};

// N(0, S2) at multiples of delta, 13 deviations far: H = 40 on the right is 9 deviations and needs those beyond.
Weights gaussian(double S2, double delta) {
  const double s = std::sqrt(S2);
  const auto reach = static_cast<Index>(std::ceil(13 * s / delta));
  Weights out{reach, std::vector<double>(static_cast<std::size_t>(2 * reach + 1))};
  double sum = 0;
  for (Index l = -reach; l <= reach; ++l) {
    const double x = static_cast<double>(l) * delta;
    sum += out.w[static_cast<std::size_t>(l + reach)] = std::exp(-0.5 * x * x / S2);
  }
  for (double& w : out.w) w /= sum;
  return out;
}

// phi[i] = sum_l w_l from.phi[start + i stride + l], and the same for 1 - phi.
INDUCE_MULTIVERSION void convolve(const Wide& from, const Weights& weights, Index start, Index stride,
                                  Index count, double* phi, double* rest) {
  std::fill_n(phi, count, 0.0);
  std::fill_n(rest, count, 0.0);
  for (Index l = -weights.reach; l <= weights.reach; ++l) {
    const double w = weights.w[static_cast<std::size_t>(l + weights.reach)];
    const double* f = from.phi.data() + start + l;
    const double* g = from.rest.data() + start + l;
    for (Index i = 0; i < count; ++i) phi[i] += w * f[i * stride];
    for (Index i = 0; i < count; ++i) rest[i] += w * g[i * stride];
  }
}

Wide sampled_G(double from, double to, double delta) {
  Wide out{static_cast<Index>(std::floor(from / delta)), delta, {}, {}};
  const auto last = static_cast<Index>(std::ceil(to / delta));
  for (Index k = out.first; k <= last; ++k) {
    const double x = std::exp(static_cast<double>(k) * delta);
    out.phi.push_back(std::exp(-x));
    out.rest.push_back(-std::expm1(-x));
  }
  return out;
}

// phi at first delta ... last delta, `from` smoothed by N(0, S2). Outside the range of `from` phi is 1 or 0.
Wide smoothed(const Wide& from, double S2, Index first, Index last, double delta) {
  const Weights weights = gaussian(S2, from.delta);
  const auto stride = static_cast<Index>(std::lround(delta / from.delta));
  const Index low = std::min(from.first, first * stride - weights.reach);
  const Index high = std::max(from.first + static_cast<Index>(from.phi.size()) - 1, last * stride + weights.reach);
  const auto size = static_cast<std::size_t>(high - low + 1);
  const auto gap = static_cast<std::size_t>(from.first - low);
  Wide padded{low, from.delta, std::vector<double>(size, 0.0), std::vector<double>(size, 1.0)};
  std::fill_n(padded.phi.begin(), gap, 1.0);
  std::fill_n(padded.rest.begin(), gap, 0.0);
  std::copy(from.phi.begin(), from.phi.end(), padded.phi.begin() + static_cast<std::ptrdiff_t>(gap));
  std::copy(from.rest.begin(), from.rest.end(), padded.rest.begin() + static_cast<std::ptrdiff_t>(gap));

  const auto count = static_cast<std::size_t>(last - first + 1);
  Wide out{first, delta, std::vector<double>(count), std::vector<double>(count)};
  convolve(padded, weights, first * stride - low, stride, static_cast<Index>(count), out.phi.data(),
           out.rest.data());
  return out;
}

double s_of_row(Index row) { return std::abs(std::sinh(static_cast<double>(row) * row_step)); }

Level empty(Index level) {
  const double low = level == 0 ? 0 : std::ldexp(1.0, static_cast<int>(level));
  const double high = level == 0 ? 4 : 2 * low;
  Level out;
  out.delta = std::ldexp(column_step, static_cast<int>(level));
  out.first_row = static_cast<Index>(std::floor(std::asinh(low) / row_step)) - points / 2 + 1;
  const Index last_row = static_cast<Index>(std::floor(std::asinh(high) / row_step)) + points / 2;
  // Left: where sums are closed (see Table::left), less what a thousand classes need. Right: right_H is 6.7
  // deviations away. And what the interpolation reads beyond.
  out.first_column = static_cast<Index>(std::floor(-(6.5 * high + 10) / out.delta)) - 2 * points;
  out.first_column -= out.first_column & 1;
  const auto last_column = static_cast<Index>(std::ceil((6.7 * high + 1) / out.delta)) + 4 * points;
  out.columns = (last_column - out.first_column + 2) / 2 * 2;
  out.eta.resize(static_cast<std::size_t>((last_row - out.first_row + 1) * out.columns));
  return out;
}

Index rows_of(const Level& level) { return static_cast<Index>(level.eta.size()) / level.columns; }

// One row from a `base` whose deviation is s_0.
void fill(Level& level, Index row, const Wide& base, double s_0) {
  const double s = s_of_row(row);
  const Index end = level.first_column + level.columns;
  const Wide phi = smoothed(base, s * s - s_0 * s_0, level.first_column, end - 1, level.delta);
  for (Index k = level.first_column; k < end; ++k) {
    const auto i = static_cast<std::size_t>(k - level.first_column);
    // Right of H = 600 nothing is ever read; phi would underflow.
    const double H = phi.rest[i] < 0.5 ? -std::log1p(-phi.rest[i]) : -std::log(std::max(phi.phi[i], 1e-260));
    level.eta[static_cast<std::size_t>(level.index(row, k))] = std::log(H);
  }
}

void fill_from_G(Level& level, const std::array<Wide, 4>& G) {
  for (Index i = 0; i < rows_of(level); ++i) {
    const Index row = level.first_row + i;
    if (row == 0) {  // H = e^a
      for (Index k = level.first_column; k < level.first_column + level.columns; ++k) {
        level.eta[static_cast<std::size_t>(level.index(row, k))] = static_cast<double>(k) * level.delta;
      }
      continue;
    }
    std::size_t q = 0;
    while (q + 1 < G.size() && G[q].delta > 0.75 * s_of_row(row)) ++q;
    fill(level, row, G[q], 0);
  }
}

// The a where a row reaches eta = value, between two columns.
double crossing(const Level& level, Index row, double value) {
  Index k = level.first_column + 1;
  while (k < level.first_column + level.columns - 1 && *level.at(row, k) < value) ++k;
  const double below = *level.at(row, k - 1), above = *level.at(row, k);
  return (static_cast<double>(k - 1) + (value - below) / (above - below)) * level.delta;
}

Table build() {
  Table out;
  Level& finest = out.level[0] = empty(0);
  const double low = static_cast<double>(finest.first_column) * finest.delta - 60;
  const double high = static_cast<double>(finest.first_column + finest.columns) * finest.delta + 60;
  std::array<Wide, 4> G;
  for (int q = 0; q < 4; ++q) {
    G[static_cast<std::size_t>(q)] = sampled_G(low, high, std::ldexp(column_step, -q));
  }
  fill_from_G(finest, G);

  Wide base = std::move(G[0]);
  double s_0 = 0;
  for (Index l = 1; l < levels; ++l) {
    Level& level = out.level[static_cast<std::size_t>(l)] = empty(l);
    const double s = std::ldexp(0.5, static_cast<int>(l));
    base = smoothed(base, s * s - s_0 * s_0, static_cast<Index>(std::floor(-(13 * s + 40) / level.delta)),
                    static_cast<Index>(std::ceil((13 * s + 10) / level.delta)), level.delta);
    s_0 = s;
    for (Index i = 0; i < rows_of(level); ++i) fill(level, level.first_row + i, base, s_0);
  }

  const auto last_row = static_cast<Index>(std::asinh(largest_s) / row_step) + 1;
  std::size_t l = 0;
  for (Index row = 0; row <= last_row; ++row) {
    const double s = s_of_row(row);
    if (s >= std::ldexp(2.0, static_cast<int>(l)) && l + 1 < levels) ++l;
    out.right.push_back(crossing(out.level[l], row, std::log(right_H)));
    // Measured: closing the sums at this H leaves an error of about 3e-11.
    out.left.push_back(crossing(out.level[l], row, -std::min(9.5 + 2.2 * s, 21.5)));
  }
  return out;
}

}  // namespace

const Table& table() {
  static const Table instance = build();
  return instance;
}

}  // namespace induce::softmax
