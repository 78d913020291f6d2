// The table of eta. With G(a) = exp(-e^a), phi(., s) is G convolved with N(0, s^2), and for s_0 < s it is
// phi(., s_0) convolved with N(0, s^2 - s_0^2). The trapezoid rule makes this a sum with Gaussian weights, whose
// error vanishes like exp(-2 pi^2 / x^2) for a step of x deviations. phi and 1 - phi are both summed (all terms
// positive), so that H = -log phi has a small relative error where phi is near 1 and where it is near 0.
//
//   octave 0   sums of G with a step of column_step / 2^q, at most s/4
//   octave l   sums of phi(., 2^(l - 1)) at the columns of octave l, a step of 3/8 of that s; these sums come from
//              the same at octave l - 1
#include "likelihood/softmax_table.hpp"

#include <algorithm>
#include <cmath>

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

void write_eta(const Wide& row, double* eta) {
  for (std::size_t i = 0; i < row.phi.size(); ++i) {
    // Right of H = 600 nothing is ever read; phi would underflow.
    const double H = row.rest[i] < 0.5 ? -std::log1p(-row.rest[i]) : -std::log(std::max(row.phi[i], 1e-260));
    eta[i] = std::log(std::max(H, 1e-300));
  }
}

double s_of_row(Index row) { return std::abs(std::sinh(static_cast<double>(row) * row_step)); }

Octave empty_octave(Index level) {
  const double low = level == 0 ? 0 : std::ldexp(1.0, static_cast<int>(level));
  const double high = std::ldexp(2.0, static_cast<int>(level));
  Octave out;
  out.delta = std::ldexp(column_step, static_cast<int>(level));
  out.first_row = static_cast<Index>(std::floor(std::asinh(low) / row_step)) - points / 2 + 1;
  const Index last_row = static_cast<Index>(std::floor(std::asinh(high) / row_step)) + points / 2;
  // H < 1e-12 (or in proportion to e^a) at 7 deviations on the left, H > right_H at 6.7 on the right, and what
  // the interpolation needs beyond.
  out.first_column = static_cast<Index>(std::floor(-(7 * high + 12) / out.delta)) - 3 * points;
  const auto last_column = static_cast<Index>(std::ceil((6.7 * high + 1) / out.delta)) + 2 * points;
  out.columns = last_column - out.first_column + 1;
  out.eta.resize(static_cast<std::size_t>((last_row - out.first_row + 1) * out.columns));
  return out;
}

// The rows of one octave from a `base` whose deviation is s_0.
void fill(Octave& octave, Index row, const Wide& base, double s_0) {
  const double s = s_of_row(row);
  write_eta(smoothed(base, s * s - s_0 * s_0, octave.first_column, octave.first_column + octave.columns - 1,
                     octave.delta),
            octave.eta.data() + (row - octave.first_row) * octave.columns);
}

// The a where a row reaches eta = level, between two columns.
double crossing(const Octave& octave, Index row, double level) {
  const double* eta = octave.at(row, octave.first_column);
  Index k = 1;
  while (k < octave.columns - 1 && eta[k] < level) ++k;
  const double part = (level - eta[k - 1]) / (eta[k] - eta[k - 1]);
  return (static_cast<double>(octave.first_column + k - 1) + part) * octave.delta;
}

Table build() {
  Table out;
  const auto rows_of = [](const Octave& o) { return static_cast<Index>(o.eta.size()) / o.columns; };

  Octave& first = out.octave[0] = empty_octave(0);
  const double low = static_cast<double>(first.first_column) * first.delta - 30;
  const double high = static_cast<double>(first.first_column + first.columns) * first.delta + 30;
  std::vector<Wide> G;
  for (int q = 0; q < 4; ++q) G.push_back(sampled_G(low, high, std::ldexp(column_step, -q)));
  for (Index i = 0; i < rows_of(first); ++i) {
    const Index row = first.first_row + i;
    std::size_t q = 0;
    while (q + 1 < G.size() && G[q].delta > 0.75 * s_of_row(row)) ++q;
    if (row != 0) fill(first, row, G[q], 0);
  }
  for (Index k = 0; k < first.columns; ++k) {  // s = 0: H = e^a
    first.eta[static_cast<std::size_t>(k - first.first_row * first.columns)] =
        static_cast<double>(first.first_column + k) * first.delta;
  }

  Wide base = std::move(G[0]);
  double s_0 = 0;
  for (Index level = 1; level < octaves; ++level) {
    Octave& octave = out.octave[static_cast<std::size_t>(level)] = empty_octave(level);
    const double s = std::ldexp(0.5, static_cast<int>(level));
    base = smoothed(base, s * s - s_0 * s_0, static_cast<Index>(std::floor(-(13 * s + 40) / octave.delta)),
                    static_cast<Index>(std::ceil((13 * s + 10) / octave.delta)), octave.delta);
    s_0 = s;
    for (Index i = 0; i < rows_of(octave); ++i) fill(octave, octave.first_row + i, base, s_0);
  }

  Index level = 0;
  const auto last_row = static_cast<Index>(std::asinh(largest_s) / row_step) + 1;
  for (Index row = 0; row <= last_row; ++row) {
    const double s = s_of_row(row);
    if (s >= std::ldexp(2.0, static_cast<int>(level)) && level + 1 < octaves) ++level;
    const Octave& octave = out.octave[static_cast<std::size_t>(level)];
    out.right.push_back(crossing(octave, row, std::log(right_H)));
    // Measured: closing the sums at this H leaves an error of about 3e-11.
    out.left.push_back(crossing(octave, row, -std::min(9.5 + 2.2 * s, 21.5)));
  }
  return out;
}

}  // namespace

const Table& table() {
  static const Table instance = build();
  return instance;
}

}  // namespace induce::softmax
