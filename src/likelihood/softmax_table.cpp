// The table of eta. With G(a) = exp(-e^a), phi(., s) is G convolved with N(0, s^2), and for s_0 < s it is
// phi(., s_0) convolved with N(0, s^2 - s_0^2). The trapezoid rule makes this a sum with Gaussian weights, whose
// error vanishes like exp(-2 pi^2 / x^2) for a step of x deviations. phi and 1 - phi are both summed (all terms
// positive), so that H = -log phi has a small relative error where phi is near 1 and where it is near 0.
//
//   level 0   sums of G with a step of delta / 2^q, at most 3/4 of s
//   level L   sums of phi(., s_0), s_0 = 2^(L - 1), with a step of 3/8 of s_0. phi(., s_0) itself is summed from
//             that of level L - 1.
#include "likelihood/softmax_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/multiversion.hpp"

namespace induce::detail::softmax {
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
  const Index high =
      std::max(from.first + static_cast<Index>(from.phi.size()) - 1, last * stride + weights.reach);
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

double s_of_row(const Level& level, Index row) {
  const double t = static_cast<double>(level.first_row + row) / level.rows_per_t;
  return level.finest ? std::abs(t) / std::sqrt(1 - 0.1 * t * t) : t / level.scale;
}

Level empty(Index l) {
  Level out;
  out.scale = std::ldexp(1.0, -static_cast<int>(l));
  out.finest = l == 0;
  out.delta = node_step / out.scale;
  out.rows_per_t = out.finest ? 64 : 40;
  out.first_row = 0;
  const double low = out.finest ? 0 : 1.25 / out.scale;
  const double high = out.finest ? 5 : 2.5 / out.scale;
  out.first_row = static_cast<Index>(std::floor(out.row_of(low))) - row_points / 2 + 1;
  const Index rows = static_cast<Index>(std::floor(out.row_of(high))) + row_points / 2 + 1;
  // Left: where sums are closed, and farther for many classes. Right: right_H is 6.7 deviations away. And what
  // is read beyond.
  out.first_column = static_cast<Index>(std::floor(-(6.5 * high + 10) / out.delta)) - 2 * column_points;
  const auto last_column = static_cast<Index>(std::ceil((6.7 * high + 1) / out.delta)) + 2 * column_points;
  out.columns = last_column - out.first_column + 1;
  out.eta.resize(static_cast<std::size_t>(rows * out.columns));
  return out;
}

Index rows_of(const Level& level) { return static_cast<Index>(level.eta.size()) / level.columns; }

// One row from a `base` whose deviation is s_0.
void fill(Level& level, Index row, const Wide& base, double s_0) {
  const double s = s_of_row(level, row);
  const Index last_column = level.first_column + level.columns - 1;
  const Wide phi = smoothed(base, s * s - s_0 * s_0, level.first_column, last_column, level.delta);
  double* eta = level.eta.data() + row * level.columns;
  for (std::size_t i = 0; i < phi.phi.size(); ++i) {
    // Right of H = 600 nothing is ever read; phi would underflow.
    const double H = phi.rest[i] < 0.5 ? -std::log1p(-phi.rest[i]) : -std::log(std::max(phi.phi[i], 1e-260));
    eta[i] = std::log(H);
  }
}

void fill_from_G(Level& level, const std::vector<Wide>& G) {
  for (Index row = 0; row < rows_of(level); ++row) {
    const double s = s_of_row(level, row);
    if (s == 0) {  // H = e^a
      double* eta = level.eta.data() + row * level.columns;
      for (Index k = 0; k < level.columns; ++k)
        eta[k] = static_cast<double>(level.first_column + k) * level.delta;
    } else {
      std::size_t q = 0;
      while (q + 1 < G.size() && G[q].delta > 0.75 * s) ++q;
      fill(level, row, G[q], 0);
    }
  }
}

// The a where a row reaches eta = value, between two columns.
double crossing(const Level& level, Index row, double value) {
  const double* eta = level.at(row, level.first_column);
  Index k = 1;
  while (k < level.columns - 1 && eta[k] < value) ++k;
  const double part = (value - eta[k - 1]) / (eta[k] - eta[k - 1]);
  return (static_cast<double>(level.first_column + k - 1) + part) * level.delta;
}

void set_ends(Level& level) {
  for (Index row = 0; row < rows_of(level); ++row) {
    const double s = s_of_row(level, row);
    level.right.push_back(crossing(level, row, std::log(right_H)));
    level.right_of_four.push_back(crossing(level, row, std::log(right_H / 4)));
    // Measured: closing the sums at this H leaves an error of about 3e-11.
    level.left.push_back(crossing(level, row, -std::min(9.5 + 2.2 * s, 21.5)));
  }
}

Table build() {
  Table out;
  Level& finest = out.level[0] = empty(0);
  const double low = static_cast<double>(finest.first_column) * finest.delta - 70;
  const double high = static_cast<double>(finest.first_column + finest.columns) * finest.delta + 70;
  std::vector<Wide> G;
  for (int q = 0; q < 6; ++q) G.push_back(sampled_G(low, high, std::ldexp(node_step / 2, -q)));
  fill_from_G(finest, G);
  set_ends(finest);
  for (Index i = 0; i < static_cast<Index>(finest.eta.size()); ++i) {
    double& eta = finest.eta[static_cast<std::size_t>(i)];
    eta = std::exp(eta - 0.5 * static_cast<double>(finest.first_column + i % finest.columns) * finest.delta);
  }

  Wide base = std::move(G[0]);
  double s_0 = 0;
  for (Index l = 1; l < levels; ++l) {
    Level& level = out.level[static_cast<std::size_t>(l)] = empty(l);
    const double s = 0.5 / level.scale, delta = level.delta / 2;
    base = smoothed(base, s * s - s_0 * s_0, static_cast<Index>(std::floor(-(13 * s + 40) / delta)),
                    static_cast<Index>(std::ceil((13 * s + 10) / delta)), delta);
    s_0 = s;
    for (Index row = 0; row < rows_of(level); ++row) fill(level, row, base, s_0);
    set_ends(level);
  }
  return out;
}

}  // namespace

const Table& table() {
  static const Table instance = build();
  return instance;
}

}  // namespace induce::detail::softmax
