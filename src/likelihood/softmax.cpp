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
// H = exp eta and lambda = H eta_a, with eta and its derivative eta_a from a table (softmax_table.hpp). At level 0, the
// most frequent one, the table has X = exp(eta - a/2) instead, so that H = e^(a/2) X and lambda = e^(a/2) (X/2 + X_a)
// need no exp for each node.
#include "likelihood/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numbers>

#include "likelihood/softmax_interpolation.hpp"
#include "likelihood/softmax_table.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/vector_math.hpp"

namespace induce::detail {
namespace softmax {
namespace {

constexpr Index lanes = 8;
constexpr double e_to_minus_3 =
    0.049787068367863944;  // growth of e^(a/2) from a chunk to the one on its left
static_assert(chunk * node_step == 6);
constexpr Index never = std::numeric_limits<Index>::max() / 4;

// One class: where it is in the table, its weights, and where it is with the sums.
struct Class {
  double m, s;
  double row;   // of the table
  double left;  // a; H is a geometric series left of it
  Index level, first_row;
  RowWeights rows;
  ColumnWeights columns, slopes;  // of eta and eta_a, or of X and X/2 + X_a
  Index column;                   // the first one for node 0, in steps of h
  Index start;                    // the first node that is looked up in the table
  double scale;                   // at level 0: e^(a/2) at the first node of the chunk
  double H, lambda, q;            // at the node that was added last, and the ratio to the node on its right
  double eta[window];             // eta or X for the nodes of the chunk; left of `start` powers of q
  double rate[chunk];             // lambda
  double p[lanes], w[lanes];      // sums
};
static_assert(sizeof(Class) % sizeof(double) == 0 && alignof(Class) <= alignof(double));

// The nodes u_j = j h, j = first .. end - 1, in chunks.
struct Grid {
  Index level;
  double h;
  Index first, end;
};

INDUCE_ALWAYS_INLINE const Level& its_level(const Table& table, const Class& k) {
  return table.level[static_cast<std::size_t>(k.level)];
}

INDUCE_ALWAYS_INLINE Index whole_chunks(Index count) { return (count + chunk - 1) / chunk * chunk; }

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
  return std::max(std::ilogb(h / node_step), 0);
}

// Places the classes in the table and chooses the nodes. reference: subtracted from all m.
INDUCE_ALWAYS_INLINE Grid plan(const Table& table, const double* m, const double* S2, Index C,
                               double reference, Class* classes) {
  double right_end = std::numeric_limits<double>::infinity();
  double left_end = right_end;
  double four[4] = {right_end, right_end, right_end, right_end};
  for (Index c = 0; c < C; ++c) {
    Class& k = classes[c];
    k.m = std::clamp(m[c] - reference, -1e9, 1e9);
    k.s = std::min(std::sqrt(S2[c]), largest_s * (1 - 1e-9));
    k.level = level_of(k.s);
    const Level& level = its_level(table, k);
    k.row = level.row_of(k.s);
    k.left = between(level.left, k.row);
    left_end = std::min(left_end, k.left - k.m);
    right_end = std::min(right_end, between(level.right, k.row) - k.m);
    double other = between(level.right_of_four, k.row) - k.m;
    for (double& one : four) {  // sorted
      const double smaller = std::min(one, other);
      other = std::max(one, other);
      one = smaller;
    }
  }
  right_end = std::min(right_end, four[3]);

  // The more classes are as large as the largest, the smaller they must be where their sums are closed.
  double equal = 0;
  for (Index c = 0; c < C; ++c) equal += exp_nonpositive(left_end - (classes[c].left - classes[c].m));
  const double lower = 0.75 * std::log(equal);

  // The level, from the classes that are not negligible everywhere.
  Index level = levels - 1;
  for (Index c = 0; c < C; ++c) {
    Class& k = classes[c];
    k.left -= lower;
    const bool negligible = right_end + k.m < its_level(table, k).left_edge();
    k.start = negligible ? never : 0;
    if (!negligible) level = std::min(level, k.level);
  }
  if (level > 0) level = std::min(level, level_for(classes, C));
  const double h = std::ldexp(node_step, static_cast<int>(level));

  const Index end = static_cast<Index>(std::ceil(right_end / h)) + 1;
  const auto first = static_cast<Index>(std::floor((left_end - lower) / h));
  return {level, h, end - whole_chunks(end - first), end};
}

// Nothing but the geometric series: a straight line through two columns of eta.
INDUCE_ALWAYS_INLINE void place_outside(const Level& level, const Grid& grid, Class& k) {
  const auto lowest = static_cast<double>(level.first_column);
  const double column = std::max(std::floor(k.left / level.delta), lowest);
  double eta[2];
  combine_rows(level, k.first_row, k.rows, static_cast<Index>(column), 2, eta);
  if (level.finest) {
    eta[0] = std::log(eta[0]) + 0.5 * column * level.delta;
    eta[1] = std::log(eta[1]) + 0.5 * (column + 1) * level.delta;
  }
  const double slope = (eta[1] - eta[0]) / level.delta;
  const double a = static_cast<double>(grid.end) * grid.h + k.m;
  k.H = std::exp(eta[0] + slope * (a - column * level.delta));
  k.lambda = slope * k.H;
  k.q = std::exp(-slope * grid.h);
}

// Its weights, and where it starts.
INDUCE_ALWAYS_INLINE void place(const Table& table, const Grid& grid, double inverse_h, Class& k) {
  if (k.level == 1 && grid.level == 0) {  // which has these rows, too
    k.level = 0;
    k.row = its_level(table, k).row_of(k.s);
  }
  const double row = std::floor(k.row);
  set_weights(k.row - row, k.rows);
  k.first_row = static_cast<Index>(row) - (row_points / 2 - 1);

  const Level& level = its_level(table, k);
  const auto node_right_of = [&](double a) { return static_cast<Index>(std::ceil((a - k.m) * inverse_h)); };
  if (k.start != never) {
    k.start = grid.end - whole_chunks(grid.end - node_right_of(k.left));
    k.start += whole_chunks(std::max(node_right_of(level.left_edge()) - k.start, Index{0}));
  }
  if (k.start >= grid.end) return place_outside(level, grid, k);

  const double x = k.m * inverse_h;
  const double column = std::floor(x);
  set_weights(x - column, inverse_h, k.columns, k.slopes);
  k.column = static_cast<Index>(column) - (column_points / 2 - 1);
  if (grid.level == 0) {
    for (std::size_t i = 0; i < column_points; ++i) k.slopes[i] += 0.5 * k.columns[i];
    // After refine(), a = 0 at the first column of the chunk.
    const double a = k.level > 0 ? k.m - static_cast<double>(k.column) * grid.h
                                 : k.m + static_cast<double>(grid.end) * grid.h;
    k.scale = std::exp(0.5 * a);
  }
}

// The nodes first .. first + chunk - 1.
struct Chunk {
  Index first;
  alignas(64) double S[chunk], Lambda[chunk], Pi[chunk];
};

// eta or X for the nodes of a chunk, or powers of q. Chunks come from right to left.
INDUCE_ALWAYS_INLINE void look_up(const Table& table, const Grid& grid, Index node, Class& k) {
  if (node >= k.start) {
    const Level& level = its_level(table, k);
    const Index column = node + k.column;
    if (k.level != grid.level) {
      refine(level, k.first_row, k.rows, k.level - grid.level, column, k.eta);
      if (grid.level > 0) return;
      for (Index i = 0; i < window; ++i)
        k.eta[i] = exp_fast(k.eta[i] - 0.5 * node_step * static_cast<double>(i));
    } else if (node + chunk == grid.end) {
      combine_rows(level, k.first_row, k.rows, column, window, k.eta);
      k.scale *= e_to_minus_3;
    } else {
      for (Index i = 0; i < chunk; ++i) k.eta[i + chunk] = k.eta[i];
      combine_rows(level, k.first_row, k.rows, column, chunk, k.eta);
      k.scale *= e_to_minus_3;
    }
  } else if (node + chunk == k.start || node + chunk == grid.end) {
    k.eta[chunk - 1] = k.q;
    for (Index i = chunk - 1; i-- > 0;) k.eta[i] = k.eta[i + 1] * k.q;
  }
}

// Adds H and lambda of one class to S and Lambda.
template <bool derivatives, bool finest>
INDUCE_ALWAYS_INLINE void add_class(const double* growth, Class& k, Chunk& at) {
  if (at.first >= k.start) {
    constexpr double e8 = 2980.9579870417283;
    alignas(64) double H[chunk], slope[chunk];
    combine_columns<derivatives>(k.eta, k.columns, k.slopes, H, slope);
#pragma omp simd
    for (Index j = 0; j < chunk; ++j) {
      const double e_j = k.scale * growth[j];
      H[j] = finest ? e_j * H[j] : e8 * exp_nonpositive(H[j] - 8);  // eta < 8 up to the right end
      at.S[j] += H[j];
      if constexpr (derivatives) {
        k.rate[j] = (finest ? e_j : H[j]) * slope[j];
        at.Lambda[j] += k.rate[j];
      }
    }
    k.H = H[0];
    k.q = H[0] / H[1];
    if constexpr (derivatives) k.lambda = k.rate[0];
  } else {
#pragma omp simd
    for (Index j = 0; j < chunk; ++j) {
      at.S[j] += k.H * k.eta[j];
      if constexpr (derivatives) {
        k.rate[j] = k.lambda * k.eta[j];
        at.Lambda[j] += k.rate[j];
      }
    }
    k.H *= k.eta[0];
    if constexpr (derivatives) k.lambda = k.rate[0];
  }
}

INDUCE_ALWAYS_INLINE double geometric(double q) { return q / (1 - q); }

// log_sum; p and w if wanted.
template <bool with_p, bool with_w>
// NOLINTNEXTLINE(readability-non-const-parameter): the workspace gets classes
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
  const Table& table = softmax::table();
  // A multiple of every h, so that the nodes do not move; 0 for all but absurd means.
  constexpr double unit = node_step * (Index{1} << (levels - 1));
  // Beyond 1e12 the product is not exact, and what is left of the means could be anything.
  const double reference = std::abs(top) < 1e12 ? unit * std::round(top / unit) : top;
  const Grid grid = plan(table, m, S2, C, reference, classes);
  const double inverse_h = 1 / grid.h;
  for (Index c = 0; c < C; ++c) {
    place(table, grid, inverse_h, classes[c]);
    if constexpr (with_p) std::fill_n(classes[c].p, lanes, 0.0);
    if constexpr (with_w) std::fill_n(classes[c].w, lanes, 0.0);
  }

  alignas(64) double growth[chunk];  // of e^(a/2) within a chunk, at level 0
  for (Index j = 0; j < chunk; ++j) growth[j] = exp_fast(0.5 * node_step * static_cast<double>(j));
  double missing = 0;  // sum of 1 - Pi
  Chunk at;
  at.first = grid.end;
  do {
    at.first -= chunk;
    std::fill_n(at.S, chunk, 0.0);
    std::fill_n(at.Lambda, chunk, 0.0);
    for (Index c = 0; c < C; ++c) look_up(table, grid, at.first, classes[c]);
    if (grid.level == 0) {
      for (Index c = 0; c < C; ++c) add_class<with_p, true>(growth, classes[c], at);
    } else {
      for (Index c = 0; c < C; ++c) add_class<with_p, false>(growth, classes[c], at);
    }
#pragma omp simd reduction(+ : missing)
    for (Index j = 0; j < chunk; ++j) {
      at.Pi[j] = exp_nonpositive(-at.S[j]);
      missing += 1 - at.Pi[j];
    }
    if constexpr (with_p) {
      for (Index c = 0; c < C; ++c) {
        Class& k = classes[c];
        for (Index first = 0; first < chunk; first += lanes) {
#pragma omp simd
          for (Index i = 0; i < lanes; ++i) {
            const double rate = k.rate[first + i];
            const double density = at.Pi[first + i] * rate;
            k.p[i] += density;
            if constexpr (with_w) k.w[i] += density * (at.Lambda[first + i] - rate);
          }
        }
      }
    }
  } while (at.first > grid.first);

  // The nodes on the left.
  const double S = at.S[0], q = S / at.S[1];
  double rest = -0.5 * S * S * geometric(q * q);
  const auto sum_of = [](const double* x) {
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
  };
  for (Index c = 0; c < C; ++c) {
    const Class& k = classes[c];
    const double first_order = geometric(k.q), second_order = geometric(k.q * q);
    rest += k.H * first_order;
    if constexpr (with_p) p[c] = sum_of(k.p) + k.lambda * (first_order - S * second_order);
    if constexpr (with_w) w[c] = grid.h * (sum_of(k.w) + k.lambda * (at.Lambda[0] - k.lambda) * second_order);
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
}  // namespace softmax

Index softmax_workspace(Index C) { return C * static_cast<Index>(sizeof(softmax::Class) / sizeof(double)); }

INDUCE_MULTIVERSION void softmax_expectations(const double* m, const double* S2, Index C, double* workspace,
                                              double& log_sum, double* p, double* w) {
  log_sum = softmax::sum_over_nodes<true, true>(m, S2, C, workspace, p, w);
}

INDUCE_MULTIVERSION double expected_log_sum_exp(const double* m, const double* S2, Index C,
                                                double* workspace) {
  return softmax::sum_over_nodes<false, false>(m, S2, C, workspace, nullptr, nullptr);
}

INDUCE_MULTIVERSION void softmax_probabilities(const double* m, const double* S2, Index C, double* workspace,
                                               double* p) {
  softmax::sum_over_nodes<true, false>(m, S2, C, workspace, p, nullptr);
}

}  // namespace induce::detail
