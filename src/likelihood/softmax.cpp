// E log sum_c exp f_c, its derivatives, and the predictive probabilities, as one integral over the real line.
//
// log x = int (e^-t - e^-xt) dt / t with t = e^u. Let
//   phi(a, s) = E exp(-exp(a + s eps)) = exp(-H(a, s)),  eps ~ N(0, 1);   H_c = H(u + m_c, s_c);
//   Pi(u) = prod_c phi(u + m_c, s_c) = exp(-sum_c H_c);   lambda_c = dH_c/du > 0,  Lambda = sum_c lambda_c.
// Pi falls from 1 to 0. With Euler's constant gamma = -int [exp(-e^u) - (u < 0)] du, for any r where Pi(r) = 0
//   log_sum = -gamma - r + int_{-inf}^r (1 - Pi) du
//   p_c = int Pi lambda_c du                         (d/dm_c)
//   w_c = int Pi lambda_c (Lambda - lambda_c) du     (d/dm_c once more, and by parts: E p_c p_k = int Pi lambda_c lambda_k)
// All terms are positive and nothing cancels.
//
// The trapezoid rule. The nodes are u_j = j h for integers j; they do not move with m. The error is that of the
// Fourier transform of the integrand at 2 pi / h, a product of |Gamma(1 + 2 pi i / h)| (for w with another factor of
// 2 pi / h) and, roughly, exp(-(2 pi / h)^2 / (2 sum_c 1/s_c^2)). h = .375 makes it 4e-10 even if all s_c = 0. If all
// s_c are larger, h is .375 2^L with the largest L that keeps it as small ("level"). A step function is integrated
// exactly if it jumps halfway between nodes: r = u_J + h/2 for the last node J.
//
// The range. Right: up to where one H_c = 25, for the nodes are then below e^-25. Left: H_c tends to e^(u + m_c + S2_c/2), so
// 1 - Pi decays only like e^u. At the first node, let q_c be the ratio of H_c to that at the second, S = sum_c H_c,
// and q the ratio of S. The sums over the nodes left of it are geometric series, to second order in S:
//   sum (1 - Pi)                      = sum_c H_c g(q_c) - S^2/2 g(q^2),   g(q) = q + q^2 + ... = q / (1 - q)
//   sum Pi lambda_c                   = lambda_c (g(q_c) - S g(q_c q))
//   sum Pi lambda_c (Lambda - lambda_c) = lambda_c (Lambda - lambda_c) g(q_c q)
//
// H = exp eta and lambda = H eta_a with eta and its derivative eta_a interpolated in the table of
// softmax_table.hpp. The nodes of one class have the same fractional position between the columns, so there is
// one set of weights for each class: first the rows are combined into one, then its columns.
#include "likelihood/softmax.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <numbers>

#include "likelihood/softmax_table.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/vector_math.hpp"

namespace induce {
namespace {

using softmax::points;
using Weights = std::array<double, points>;

constexpr Index chunk = 96;  // nodes at a time; a multiple of the vector length
constexpr Index lanes = 8;
constexpr Index never = std::numeric_limits<Index>::max() / 4;
constexpr Index longest = chunk + 4 * points;  // of one parity, for the nodes of a chunk

// Row k: the coefficients of f^k in the `points` Lagrange polynomials at (points/2 - 1) + f, for nodes 0, 1, ...
constexpr std::array<Weights, points> lagrange_coefficients() {
  std::array<Weights, points> out{};
  for (std::size_t i = 0; i < points; ++i) {
    Weights polynomial{1.0};
    for (std::size_t j = 0; j < points; ++j) {
      if (j == i) continue;
      const double root = static_cast<double>(j) - (points / 2 - 1);  // factor (f - root) / (i - j)
      const double scale = 1.0 / (static_cast<double>(i) - static_cast<double>(j));
      for (std::size_t k = points; k-- > 0;) {
        polynomial[k] = ((k > 0 ? polynomial[k - 1] : 0.0) - root * polynomial[k]) * scale;
      }
    }
    for (std::size_t k = 0; k < points; ++k) out[k][i] = polynomial[k];
  }
  return out;
}
constexpr std::array<Weights, points> lagrange = lagrange_coefficients();

// One class: where it is in the table, its weights, and where it is with the sums.
struct Class {
  double m, s, row;  // row: asinh(s) in units of row_step
  double left;       // a; H is a geometric series left of it
  Index octave, first_row;
  Weights rows, columns, slopes;  // slopes: the derivatives of the weights of the columns
  Index column;                   // the first one for node 0, in steps of h/2
  Index start;                    // the first node that is looked up in the table
  double H, lambda, q;  // at the node that was added last, and the ratio to the node on its right
};
static_assert(sizeof(Class) % sizeof(double) == 0 && alignof(Class) <= alignof(double));

// The nodes u_j = j h, j = first .. end - 1.
struct Grid {
  Index level;
  double h;
  Index first, end;
};

INDUCE_ALWAYS_INLINE void interpolate(double f, Weights& value) {
  value = lagrange[points - 1];
  for (std::size_t k = points - 1; k-- > 0;) {
    for (std::size_t i = 0; i < points; ++i) value[i] = value[i] * f + lagrange[k][i];
  }
}

INDUCE_ALWAYS_INLINE void interpolate(double f, Weights& value, Weights& slope) {
  value = lagrange[points - 1];
  slope = {};
  for (std::size_t k = points - 1; k-- > 0;) {
    for (std::size_t i = 0; i < points; ++i) {
      slope[i] = slope[i] * f + value[i];
      value[i] = value[i] * f + lagrange[k][i];
    }
  }
}

INDUCE_ALWAYS_INLINE double between_rows(const std::vector<double>& of_row, double row) {
  const double below = std::floor(row);
  const auto i = static_cast<std::size_t>(below);
  return of_row[i] + (row - below) * (of_row[i + 1] - of_row[i]);
}

INDUCE_ALWAYS_INLINE const softmax::Octave& octave_of(const softmax::Table& table, const Class& k) {
  return table.octave[static_cast<std::size_t>(k.octave)];
}

INDUCE_ALWAYS_INLINE Index whole_lanes(Index count) { return (count + lanes - 1) / lanes * lanes; }

// out[i] = eta of the class's s at column + i; all in the columns of its octave.
INDUCE_ALWAYS_INLINE void combine_rows(const softmax::Octave& octave, const Class& k, Index column, Index count,
                                       double* out) {
  const double* in = octave.at(k.first_row, column);
  const Index n = octave.columns;
  const Weights w = k.rows;
  for (Index i = 0; i < count; ++i) {
    out[i] = (w[0] * in[i] + w[1] * in[i + n]) + (w[2] * in[i + 2 * n] + w[3] * in[i + 3 * n]) +
             ((w[4] * in[i + 4 * n] + w[5] * in[i + 5 * n]) + (w[6] * in[i + 6 * n] + w[7] * in[i + 7 * n]));
  }
}

// Places the classes in the table and chooses the nodes. reference: subtracted from all m.
INDUCE_ALWAYS_INLINE Grid plan(const softmax::Table& table, const double* m, const double* S2, Index C,
                               double reference, Class* classes, double* left) {
  double right_end = std::numeric_limits<double>::infinity();
  double left_end = right_end;
  for (Index c = 0; c < C; ++c) {
    Class& k = classes[c];
    k.m = std::max(m[c] - reference, -1e9);
    k.s = std::min(std::sqrt(S2[c]), softmax::largest_s * (1 - 1e-9));
    k.row = std::log(k.s + std::sqrt(1 + k.s * k.s)) * (1 / softmax::row_step);
    k.octave = k.s < 2 ? 0 : std::ilogb(k.s);
    k.left = between_rows(table.left, k.row);
    right_end = std::min(right_end, between_rows(table.right, k.row) - k.m);
    left[c] = k.left - k.m;
    left_end = std::min(left_end, left[c]);
  }

  // The more classes are as large as the largest, the smaller they must be where their sums are closed.
  double equal = 0;
#pragma omp simd reduction(+ : equal)
  for (Index c = 0; c < C; ++c) equal += exp_nonpositive(left_end - left[c]);
  const double lower = 0.75 * std::log(equal);

  // The level, from the classes that are not negligible everywhere.
  Index level = softmax::octaves - 1;
  double precision = 0;
  for (Index c = 0; c < C; ++c) {
    Class& k = classes[c];
    k.left -= lower;
    k.start = 0;
    if (right_end + k.m < octave_of(table, k).left_edge()) {
      k.start = never;
    } else {
      level = std::min(level, k.octave);
      precision += 1 / (k.s * k.s);
    }
  }
  double h = std::ldexp(softmax::node_step, static_cast<int>(level));
  for (; level > 0 && h * h * precision > 0.64; --level) h *= 0.5;

  const Index end = static_cast<Index>(std::ceil(right_end / h)) + 1;
  const auto first = static_cast<Index>(std::floor((left_end - lower) / h));
  return {level, h, end - whole_lanes(end - first), end};
}

INDUCE_ALWAYS_INLINE void set_weights(const softmax::Table& table, const Grid& grid, Class& k) {
  const double row = std::floor(k.row);
  interpolate(k.row - row, k.rows);
  k.first_row = static_cast<Index>(row) - (points / 2 - 1);

  const softmax::Octave& octave = octave_of(table, k);
  const auto node_right_of = [&](double a) { return static_cast<Index>(std::ceil((a - k.m) / grid.h)); };
  if (k.start != never) {
    k.start = grid.end - whole_lanes(grid.end - node_right_of(k.left));
    k.start += whole_lanes(std::max(node_right_of(octave.left_edge()) - k.start, Index{0}));
  }
  if (k.start >= grid.end) {
    // Nothing but the geometric series: a straight line through two columns of eta.
    const auto column = static_cast<Index>(std::floor(std::max(k.left / octave.delta, 0.0 + octave.first_column)));
    double eta[2];
    combine_rows(octave, k, column, 2, eta);
    const double slope = (eta[1] - eta[0]) / octave.delta;
    const double distance = static_cast<double>(grid.end) * grid.h + k.m - static_cast<double>(column) * octave.delta;
    k.H = std::exp(eta[0] + slope * distance);
    k.lambda = slope * k.H;
    k.q = std::exp(-slope * grid.h);
    return;
  }
  const double x = k.m * (2 / grid.h);
  const double column = std::floor(x);
  interpolate(x - column, k.columns, k.slopes);
  for (double& slope : k.slopes) slope *= 2 / grid.h;
  k.column = static_cast<Index>(column) - (points / 2 - 1);
}

// Halfway between the columns 0 and 1 of `in`.
INDUCE_ALWAYS_INLINE double midpoint(const double* in) {
  return 1225.0 / 2048 * (in[0] + in[1]) - 245.0 / 2048 * (in[-1] + in[2]) + 49.0 / 2048 * (in[-2] + in[3]) -
         5.0 / 2048 * (in[-3] + in[4]);
}

// Columns with steps of h/2, those of even and of odd distance to the first one apart; and where they are made.
struct Columns {
  alignas(64) double even[longest], odd[longest], both[2 * longest];
};

// eta at 2 count columns in steps of h/2, from the octave of the class, whose steps may be 2, 4, ... times that.
INDUCE_ALWAYS_INLINE void columns_of(const softmax::Octave& octave, const Class& k, Index level, Index column,
                                     Index count, Columns& out) {
  Index halvings = k.octave - level;
  if (halvings == 0) {
    combine_rows(octave, k, column, 2 * count, out.both);
    for (Index j = 0; j < count; ++j) {
      out.even[j] = out.both[2 * j];
      out.odd[j] = out.both[2 * j + 1];
    }
    return;
  }
  // The range that is needed of grids with steps of h, 2h, 4h, ...
  const auto coarser = [](Index first) { return (first >> 1) - (points / 2 - 1); };
  const auto length = [](Index size) { return size / 2 + points; };
  const auto range = [&](Index times) {
    std::array<Index, 2> at{column, 2 * count};
    for (Index i = 0; i < times; ++i) at = {coarser(at[0]), length(at[1])};
    return at;
  };
  auto [first, size] = range(halvings);
  combine_rows(octave, k, first, size, out.both);
  for (; halvings > 1; --halvings) {
    const auto [fine_first, fine_size] = range(halvings - 1);
    const double* in = out.both + ((fine_first >> 1) - first);
    const Index odd = fine_first & 1;
    for (Index j = 0; j < fine_size / 2 + 1; ++j) {
      out.even[j] = in[j];
      out.odd[j] = midpoint(in + j);
    }
    for (Index i = 0; i < fine_size; ++i) {
      out.both[i] = ((i + odd) & 1) == 0 ? out.even[(i + odd) / 2] : out.odd[(i + odd) / 2];
    }
    first = fine_first;
  }
  const double* in = out.both + ((column >> 1) - first);
  const bool starts_between = (column & 1) != 0;
  double* on = starts_between ? out.odd : out.even;
  double* between = starts_between ? out.even : out.odd;
  for (Index j = 0; j < count; ++j) between[j] = midpoint(in + j);
  if (starts_between) ++in;
  for (Index j = 0; j < count; ++j) on[j] = in[j];
}

struct Chunk {
  Index first, count;  // nodes; count is a multiple of lanes
  alignas(64) double S[chunk], Lambda[chunk], Pi[chunk];
  alignas(64) double H[chunk];  // of the current class
  Columns columns;
};

// Adds H and lambda of one class to S and Lambda, and writes its lambda. Chunks come from right to left.
template <bool derivatives>
INDUCE_ALWAYS_INLINE void add_class(const softmax::Table& table, const Grid& grid, Class& k, Chunk& at,
                                    double* lambda) {
  const Index outside = std::clamp(k.start - at.first, Index{0}, at.count);
  if (outside < at.count) {
    const Index n = at.count - outside;
    columns_of(octave_of(table, k), k, grid.level, 2 * (at.first + outside) + k.column, n + points / 2, at.columns);
    const Weights v = k.columns, d = k.slopes;
    const double *e = at.columns.even, *o = at.columns.odd;
    double *S = at.S + outside, *Lambda = at.Lambda + outside, *H = at.H + outside;
    double* lambda_c = lambda + outside;
    constexpr double e8 = 2980.9579870417283;
#pragma omp simd
    for (Index j = 0; j < n; ++j) {
      const double eta = (v[0] * e[j] + v[2] * e[j + 1] + v[4] * e[j + 2] + v[6] * e[j + 3]) +
                         (v[1] * o[j] + v[3] * o[j + 1] + v[5] * o[j + 2] + v[7] * o[j + 3]);
      H[j] = e8 * exp_nonpositive(eta - 8);  // eta < 8 up to the right end
      S[j] += H[j];
      if constexpr (derivatives) {
        const double eta_a = (d[0] * e[j] + d[2] * e[j + 1] + d[4] * e[j + 2] + d[6] * e[j + 3]) +
                             (d[1] * o[j] + d[3] * o[j + 1] + d[5] * o[j + 2] + d[7] * o[j + 3]);
        lambda_c[j] = H[j] * eta_a;
        Lambda[j] += lambda_c[j];
      }
    }
    k.H = H[0];
    k.q = H[0] / H[1];
    if constexpr (derivatives) k.lambda = lambda_c[0];
  }
  if (outside > 0) {
    double power[lanes];  // q^lanes .. q
    power[lanes - 1] = k.q;
    for (Index i = lanes - 1; i-- > 0;) power[i] = power[i + 1] * k.q;
    for (Index j = outside - lanes; j >= 0; j -= lanes) {
#pragma omp simd
      for (Index i = 0; i < lanes; ++i) {
        at.S[j + i] += k.H * power[i];
        if constexpr (derivatives) {
          lambda[j + i] = k.lambda * power[i];
          at.Lambda[j + i] += lambda[j + i];
        }
      }
      k.H *= power[0];
      if constexpr (derivatives) k.lambda *= power[0];
    }
  }
}

INDUCE_ALWAYS_INLINE double geometric(double q) { return q / (1 - q); }

// log_sum always; p where it is wanted; w only with p.
template <bool with_p, bool with_w>
INDUCE_ALWAYS_INLINE double sum_over_nodes(const double* m, const double* S2, Index C, double* workspace,
                                           double* p, double* w) {
  double finite = 0, top = -std::numeric_limits<double>::infinity();
  for (Index c = 0; c < C; ++c) {
    finite += 0 * m[c] + 0 * S2[c];
    top = std::max(top, m[c]);
  }
  if (finite != 0) {
    if constexpr (with_p) std::fill_n(p, C, finite);
    if constexpr (with_w) std::fill_n(w, C, finite);
    return finite;
  }

  auto* classes = new (workspace) Class[static_cast<std::size_t>(C)];
  double* lambda = workspace + C * static_cast<Index>(sizeof(Class) / sizeof(double));
  const softmax::Table& table = softmax::table();
  // A multiple of every h, so that the nodes do not move; 0 for all but absurd means.
  constexpr double unit = softmax::node_step * (Index{1} << (softmax::octaves - 1));
  const double reference = unit * std::round(top / unit);
  const Grid grid = plan(table, m, S2, C, reference, classes, lambda);
  for (Index c = 0; c < C; ++c) set_weights(table, grid, classes[c]);

  if constexpr (with_p) std::fill_n(p, C, 0.0);
  if constexpr (with_w) std::fill_n(w, C, 0.0);
  double missing = 0;  // sum of 1 - Pi
  Chunk at;
  at.first = grid.end;
  while (at.first > grid.first) {
    at.count = std::min(chunk, at.first - grid.first);
    at.first -= at.count;
    std::fill_n(at.S, at.count, 0.0);
    if constexpr (with_p) std::fill_n(at.Lambda, at.count, 0.0);
    for (Index c = 0; c < C; ++c) add_class<with_p>(table, grid, classes[c], at, lambda + c * chunk);
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < at.count; ++j) {
      at.Pi[j] = exp_nonpositive(-at.S[j]);
      sum += 1 - at.Pi[j];
    }
    missing += sum;
    if constexpr (with_p) {
      for (Index c = 0; c < C; ++c) {
        const double* lambda_c = lambda + c * chunk;
        double p_c = 0, w_c = 0;
#pragma omp simd reduction(+ : p_c, w_c)
        for (Index j = 0; j < at.count; ++j) {
          const double density = at.Pi[j] * lambda_c[j];
          p_c += density;
          if constexpr (with_w) w_c += density * (at.Lambda[j] - lambda_c[j]);
        }
        p[c] += p_c;
        if constexpr (with_w) w[c] += w_c;
      }
    }
  }

  // The nodes on the left.
  const double S = at.S[0], q = S / at.S[1];
  for (Index c = 0; c < C; ++c) {
    const Class& k = classes[c];
    const double first_order = geometric(k.q), second_order = geometric(k.q * q);
    missing += k.H * first_order;
    if constexpr (with_p) p[c] += k.lambda * (first_order - S * second_order);
    if constexpr (with_w) w[c] = grid.h * (w[c] + k.lambda * (at.Lambda[0] - k.lambda) * second_order);
  }
  missing -= 0.5 * S * S * geometric(q * q);

  if constexpr (with_p) {
    double sum = 0;
    for (Index c = 0; c < C; ++c) sum += p[c];
    for (Index c = 0; c < C; ++c) p[c] /= sum;
  }
  return reference - std::numbers::egamma - (static_cast<double>(grid.end) - 0.5 - missing) * grid.h;
}

}  // namespace

Index softmax_workspace(Index C) { return C * (chunk + static_cast<Index>(sizeof(Class) / sizeof(double))); }

INDUCE_MULTIVERSION void softmax_expectations(const double* m, const double* S2, Index C, double* workspace,
                                              double& log_sum, double* p, double* w) {
  log_sum = sum_over_nodes<true, true>(m, S2, C, workspace, p, w);
}

INDUCE_MULTIVERSION double expected_log_sum_exp(const double* m, const double* S2, Index C, double* workspace) {
  return sum_over_nodes<false, false>(m, S2, C, workspace, nullptr, nullptr);
}

INDUCE_MULTIVERSION void softmax_probabilities(const double* m, const double* S2, Index C, double* workspace,
                                               double* p) {
  sum_over_nodes<true, false>(m, S2, C, workspace, p, nullptr);
}

}  // namespace induce
