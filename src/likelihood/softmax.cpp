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
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <numbers>

#include "likelihood/softmax_table.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/vector_math.hpp"

namespace induce {
namespace {

using softmax::column_points;
using softmax::Level;
using softmax::row_points;
using softmax::Table;

constexpr Index lanes = 8;   // nodes come in multiples of this
constexpr Index node_chunk = 96;  // nodes at a time
constexpr Index group = 4;   // classes at a time
constexpr Index longest = node_chunk + 4 * column_points;
constexpr Index never = std::numeric_limits<Index>::max() / 4;

// Row k: the coefficients of f^k in the Lagrange polynomials of n points at f after the point n/2 - 1.
template <std::size_t n>
constexpr std::array<std::array<double, n>, n> lagrange_coefficients() {
  std::array<std::array<double, n>, n> out{};
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, n> polynomial{1.0};
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const double root = static_cast<double>(j) - (n / 2 - 1);  // factor (f - root) / (i - j)
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
constexpr std::array<std::array<double, n>, n> lagrange = lagrange_coefficients<n>();

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

// One class: where it is in the table, its weights, and where it is with the sums.
struct Class {
  double m, s;
  double row;   // of the table
  double left;  // a; H is a geometric series left of it
  Index level, first_row;
  std::array<double, row_points> rows;
  std::array<double, column_points> columns, slopes;  // slopes: the derivatives of the weights of the columns
  Index column;                                       // the first one for node 0, in steps of h
  Index start;                                        // the first node that is looked up in the table
  double H, lambda, q;  // at the node that was added last, and the ratio to the node on its right
};
static_assert(sizeof(Class) % sizeof(double) == 0 && alignof(Class) <= alignof(double));

// The nodes u_j = j h, j = first .. end - 1.
struct Grid {
  Index level;
  double h;
  Index first, end;
};

INDUCE_ALWAYS_INLINE const Level& level_of(const Table& table, const Class& k) {
  return table.level[static_cast<std::size_t>(k.level)];
}

INDUCE_ALWAYS_INLINE Index whole_lanes(Index count) { return (count + lanes - 1) / lanes * lanes; }

INDUCE_ALWAYS_INLINE double between(const std::vector<double>& of_row, double row) {
  const double below = std::floor(row);
  const auto i = static_cast<std::size_t>(below);
  return of_row[i] + (row - below) * (of_row[i + 1] - of_row[i]);
}

// The largest level with h^2 sum_c 1/s_c^2 <= .64.
INDUCE_ALWAYS_INLINE Index level_for(const Class* classes, Index C) {
  double precision = 0;
  for (Index c = 0; c < C; ++c) {
    if (classes[c].start != never) precision += 1 / (classes[c].s * classes[c].s);
  }
  const double h = 0.8 / std::sqrt(precision);
  return std::max(std::ilogb(h / softmax::node_step), 0);
}

// Places the classes in the table and chooses the nodes. reference: subtracted from all m.
INDUCE_ALWAYS_INLINE Grid plan(const Table& table, const double* m, const double* S2, Index C, double reference,
                               Class* classes, double* left) {
  double right_end = std::numeric_limits<double>::infinity();
  double left_end = right_end;
  for (Index c = 0; c < C; ++c) {
    Class& k = classes[c];
    k.m = std::max(m[c] - reference, -1e9);
    k.s = std::min(std::sqrt(S2[c]), softmax::largest_s * (1 - 1e-9));
    k.level = softmax::level_of(k.s);
    const Level& level = level_of(table, k);
    k.row = level.row_of(k.s);
    k.left = between(level.left, k.row);
    left[c] = k.left - k.m;
    left_end = std::min(left_end, left[c]);
    right_end = std::min(right_end, between(level.right, k.row) - k.m);
  }

  // The more classes are as large as the largest, the smaller they must be where their sums are closed.
  double equal = 0;
#pragma omp simd reduction(+ : equal)
  for (Index c = 0; c < C; ++c) equal += exp_nonpositive(left_end - left[c]);
  const double lower = 0.75 * std::log(equal);

  // The level, from the classes that are not negligible everywhere.
  Index level = softmax::levels - 1;
  for (Index c = 0; c < C; ++c) {
    Class& k = classes[c];
    k.left -= lower;
    const bool negligible = right_end + k.m < level_of(table, k).left_edge();
    k.start = negligible ? never : 0;
    if (negligible) continue;
    level = std::min(level, k.level);
  }
  if (level > 0) level = std::min(level, level_for(classes, C));
  const double h = std::ldexp(softmax::node_step, static_cast<int>(level));

  const Index end = static_cast<Index>(std::ceil(right_end / h)) + 1;
  const auto first = static_cast<Index>(std::floor((left_end - lower) / h));
  return {level, h, end - whole_lanes(end - first), end};
}

// Nothing but the geometric series: a straight line through two columns of eta.
INDUCE_ALWAYS_INLINE void place_outside(const Level& level, const Grid& grid, Class& k) {
  const auto lowest = static_cast<double>(level.first_column);
  const double column = std::max(std::floor(k.left / level.delta), lowest);
  double eta = 0, next = 0;
  for (std::size_t i = 0; i < row_points; ++i) {
    const Index row = k.first_row + static_cast<Index>(i);
    eta += k.rows[i] * *level.at(row, static_cast<Index>(column));
    next += k.rows[i] * *level.at(row, static_cast<Index>(column) + 1);
  }
  const double slope = (next - eta) / level.delta;
  const double a = static_cast<double>(grid.end) * grid.h + k.m;
  k.H = std::exp(eta + slope * (a - column * level.delta));
  k.lambda = slope * k.H;
  k.q = std::exp(-slope * grid.h);
}

INDUCE_ALWAYS_INLINE void place(const Table& table, const Grid& grid, double inverse_h, Class& k) {
  if (k.level == 1 && grid.level == 0) {  // which has these rows, too
    k.level = 0;
    k.row = level_of(table, k).row_of(k.s);
  }
  const double row = std::floor(k.row);
  set_weights(k.row - row, k.rows);
  k.first_row = static_cast<Index>(row) - (row_points / 2 - 1);

  const Level& level = level_of(table, k);
  const auto node_right_of = [&](double a) { return static_cast<Index>(std::ceil((a - k.m) * inverse_h)); };
  if (k.start != never) {
    k.start = grid.end - whole_lanes(grid.end - node_right_of(k.left));
    k.start += whole_lanes(std::max(node_right_of(level.left_edge()) - k.start, Index{0}));
  }
  if (k.start >= grid.end) return place_outside(level, grid, k);

  const double x = k.m * inverse_h;
  const double column = std::floor(x);
  set_weights(x - column, inverse_h, k.columns, k.slopes);
  k.column = static_cast<Index>(column) - (column_points / 2 - 1);
}

// The nodes first .. first + count - 1.
struct Chunk {
  Index first, count;
  alignas(64) double S[node_chunk], Lambda[node_chunk], Pi[node_chunk];
  alignas(64) double H[node_chunk];               // of the current class
  alignas(64) double columns[group][longest];  // eta of the s of a class, in steps of h
  alignas(64) double coarse[longest];
};

// out[i] = eta at column + i.
INDUCE_ALWAYS_INLINE void combine_rows(const Level& level, const Class& k, Index column, Index count, double* out) {
  const double* in = level.at(k.first_row, column);
  const Index n = level.columns;
  const auto w = k.rows;
#pragma omp simd
  for (Index i = 0; i < count; ++i) {
    out[i] = ((w[0] * in[i] + w[1] * in[i + n]) + (w[2] * in[i + 2 * n] + w[3] * in[i + 3 * n])) +
             (w[4] * in[i + 4 * n] + w[5] * in[i + 5 * n]);
  }
}

// The same from a level whose steps are 2, 4, .. times h: grids of these steps, each from the one before by
// interpolation halfway between its columns.
INDUCE_ALWAYS_INLINE void refine(const Level& level, const Class& k, Index halvings, Index column, Index count,
                                 double* coarse, double* out) {
  constexpr Index reach = column_points / 2 - 1;
  // Where the grid of steps 2^i h must begin, and its size.
  const auto first = [&](Index i) {
    Index at = column;
    for (; i > 0; --i) at = (at >> 1) - reach;
    return at;
  };
  const auto size = [&](Index i) {
    Index n = count;
    for (; i > 0; --i) n = n / 2 + column_points;
    return n;
  };
  std::array<double, column_points> w;
  set_weights(0.5, w);
  combine_rows(level, k, first(halvings), size(halvings), out);
  for (; halvings > 0; --halvings) {
    std::copy_n(out, size(halvings), coarse);
    const Index begin = first(halvings - 1), n = size(halvings - 1);
    const double* x = coarse + ((begin >> 1) - first(halvings) - reach);
    double* on = out - (begin & 1);
    for (Index i = begin & 1; 2 * i < n + (begin & 1); ++i) on[2 * i] = x[i + reach];
    for (Index i = 0; 2 * i + 1 < n + (begin & 1); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < column_points; ++j) sum += w[j] * x[i + static_cast<Index>(j)];
      on[2 * i + 1] = sum;
    }
  }
}

INDUCE_ALWAYS_INLINE void look_up(const Table& table, const Grid& grid, const Class& k, Chunk& at, double* out) {
  const Index from = std::clamp(k.start - at.first, Index{0}, at.count);
  if (from == at.count) return;
  const Level& level = level_of(table, k);
  const Index column = at.first + from + k.column;
  const Index count = whole_lanes(at.count - from + column_points - 1);
  if (k.level == grid.level) {
    combine_rows(level, k, column, count, out);
  } else {
    refine(level, k, k.level - grid.level, column, count, at.coarse, out);
  }
}

// eta[j] += sum_i value[i] x[j + i] and eta_a[j] += sum_i slope[i] x[j + i] over half of the points: with all of
// them the weights do not fit into the registers.
template <bool derivatives, bool add>
INDUCE_ALWAYS_INLINE void add_columns(const double* x, const double* value, const double* slope, Index n, double* eta,
                                      double* eta_a) {
  std::array<double, column_points / 2> v, d;
  std::copy_n(value, v.size(), v.begin());
  std::copy_n(slope, d.size(), d.begin());
#pragma omp simd
  for (Index j = 0; j < n; ++j) {
    double sum = add ? eta[j] : 0.0, sum_a = add && derivatives ? eta_a[j] : 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double x_i = x[j + static_cast<Index>(i)];
      sum += v[i] * x_i;
      if constexpr (derivatives) sum_a += d[i] * x_i;
    }
    eta[j] = sum;
    if constexpr (derivatives) eta_a[j] = sum_a;
  }
}

// Adds H and lambda of one class to S and Lambda, and writes lambda. Chunks come from right to left.
template <bool derivatives>
INDUCE_ALWAYS_INLINE void add_class(const double* x, Class& k, Chunk& at, double* lambda) {
  const Index from = std::clamp(k.start - at.first, Index{0}, at.count);
  if (from < at.count) {
    constexpr double e8 = 2980.9579870417283;
    const Index n = at.count - from;
    double *S = at.S + from, *Lambda = at.Lambda + from, *H = at.H + from, *lambda_c = lambda + from;
    add_columns<derivatives, false>(x, k.columns.data(), k.slopes.data(), n, H, lambda_c);
    constexpr Index half = column_points / 2;
    add_columns<derivatives, true>(x + half, k.columns.data() + half, k.slopes.data() + half, n, H, lambda_c);
#pragma omp simd
    for (Index j = 0; j < n; ++j) {
      H[j] = e8 * exp_nonpositive(H[j] - 8);  // eta < 8 up to the right end
      S[j] += H[j];
      if constexpr (derivatives) {
        lambda_c[j] *= H[j];
        Lambda[j] += lambda_c[j];
      }
    }
    k.H = H[0];
    k.q = H[0] / H[1];
    if constexpr (derivatives) k.lambda = lambda_c[0];
  }
  const double q2 = k.q * k.q, q4 = q2 * q2;
  const double power[lanes] = {q4 * q4, q4 * q2 * k.q, q4 * q2, q4 * k.q, q4, q2 * k.q, q2, k.q};
  for (Index j = from - lanes; j >= 0; j -= lanes) {
#pragma omp simd
    for (Index i = 0; i < lanes; ++i) {
      at.S[j + i] += k.H * power[i];
      if constexpr (derivatives) {
        lambda[j + i] = k.lambda * power[i];
        at.Lambda[j + i] += k.lambda * power[i];
      }
    }
    k.H *= power[0];
    if constexpr (derivatives) k.lambda *= power[0];
  }
}

INDUCE_ALWAYS_INLINE double geometric(double q) { return q / (1 - q); }

// log_sum; p and w if wanted.
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
  lambda += (-(reinterpret_cast<std::uintptr_t>(lambda) / sizeof(double))) % lanes;  // whole cache lines
  const Table& table = softmax::table();
  // A multiple of every h, so that the nodes do not move; 0 for all but absurd means.
  constexpr double unit = softmax::node_step * (Index{1} << (softmax::levels - 1));
  // Beyond 1e12 the product is not exact, and what is left of the means could be anything.
  const double reference = std::abs(top) < 1e12 ? unit * std::round(top / unit) : top;
  const Grid grid = plan(table, m, S2, C, reference, classes, lambda);
  const double inverse_h = 1 / grid.h;
  for (Index c = 0; c < C; ++c) place(table, grid, inverse_h, classes[c]);

  if constexpr (with_p) std::fill_n(p, C, 0.0);
  if constexpr (with_w) std::fill_n(w, C, 0.0);
  double missing = 0;  // sum of 1 - Pi
  Chunk at;
  at.first = grid.end;
  do {
    at.count = std::min(node_chunk, at.first - grid.first);
    at.first -= at.count;
    std::fill_n(at.S, at.count, 0.0);
    if constexpr (with_p) std::fill_n(at.Lambda, at.count, 0.0);
    for (Index c = 0; c < C; c += group) {
      const Index n = std::min(group, C - c);
      for (Index i = 0; i < n; ++i) look_up(table, grid, classes[c + i], at, at.columns[i]);
      for (Index i = 0; i < n; ++i) {
        add_class<with_p>(at.columns[i], classes[c + i], at, lambda + (c + i) * node_chunk);
        for (; at.count > lanes && at.S[at.count - lanes] > softmax::right_H; at.count -= lanes) missing += lanes;
      }
    }
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < at.count; ++j) {
      at.Pi[j] = exp_nonpositive(-at.S[j]);
      sum += 1 - at.Pi[j];
    }
    missing += sum;
    if constexpr (with_p) {
      for (Index c = 0; c < C; ++c) {
        const double* lambda_c = lambda + c * node_chunk;
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
  } while (at.first > grid.first);

  // The nodes on the left.
  const double S = at.S[0], q = S / at.S[1];
  double rest = -0.5 * S * S * geometric(q * q);
  for (Index c = 0; c < C; ++c) {
    const Class& k = classes[c];
    const double first_order = geometric(k.q), second_order = geometric(k.q * q);
    rest += k.H * first_order;
    if constexpr (with_p) p[c] += k.lambda * (first_order - S * second_order);
    if constexpr (with_w) w[c] = grid.h * (w[c] + k.lambda * (at.Lambda[0] - k.lambda) * second_order);
  }
  if constexpr (with_p) {
    double sum = 0;
    for (Index c = 0; c < C; ++c) sum += p[c];
    const double scale = 1 / sum;
    for (Index c = 0; c < C; ++c) p[c] *= scale;
  }
  const double nodes = static_cast<double>(grid.end) - 0.5 - (missing + rest);
  return reference - std::numbers::egamma - nodes * grid.h;
}

}  // namespace

Index softmax_workspace(Index C) {
  return C * (node_chunk + static_cast<Index>(sizeof(Class) / sizeof(double))) + lanes;
}

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
