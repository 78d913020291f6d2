#include "term/table_loops.hpp"

#include <cstring>

#include "linalg/multiversion.hpp"

namespace induce::detail {
namespace {

// Entries come in neighbouring twos: one two for a column, two for a pair of columns.
typedef double Two __attribute__((vector_size(16)));  // NOLINT(modernize-use-using): of GCC and clang

INDUCE_ALWAYS_INLINE Two two_at(const double* at) {
  Two both;
  std::memcpy(&both, at, sizeof both);
  return both;
}

INDUCE_ALWAYS_INLINE void add_to(double* at, double factor, Two both) {
  const Two sum = two_at(at) + factor * both;
  std::memcpy(at, &sum, sizeof sum);
}

template <bool pair>
struct Twos {
  INDUCE_ALWAYS_INLINE explicit Twos(const double* share) {
    if constexpr (pair) {
      const Two last{1 - share[1], share[1]};
      h[0] = (1 - share[0]) * last;
      h[1] = share[0] * last;
    } else {
      h[0] = Two{1 - share[0], share[0]};
    }
  }
  Two h[pair ? 2 : 1];
};

template <bool p_pair, bool q_pair>
INDUCE_ALWAYS_INLINE void add_table_of(const OrderedRows& p, const TableColumns& q, double* table) {
  for (Index k = 0; k < p.rows; ++k) {
    const Index i = p.order[k];
    const Twos<q_pair> of_q(q.share + 2 * i);
    const double* factor = p.factor + 4 * k;
    double* const at = table + p.entry[i] * q.size + q.entry[i];
    for (int e = 0; e < (p_pair ? 4 : 2); ++e) {
      double* const line = at + ((e & 1) + (e >> 1) * p.row) * q.size;
      add_to(line, factor[e], of_q.h[0]);
      if constexpr (q_pair) add_to(line + q.row, factor[e], of_q.h[1]);
    }
  }
}

template <bool p_pair, bool q_pair>
INDUCE_ALWAYS_INLINE void add_quadratic_of(const OrderedRows& p, const TableColumns& q, double scale,
                                           const double* table, double* sum) {
  for (Index k = 0; k < p.rows; ++k) {
    const Index i = p.order[k];
    const Twos<q_pair> of_q(q.share + 2 * i);
    const double* factor = p.factor + 4 * k;
    const double* const at = table + p.entry[i] * q.size + q.entry[i];
    Two dots{0, 0};
    for (int e = 0; e < (p_pair ? 4 : 2); ++e) {
      const double* const line = at + ((e & 1) + (e >> 1) * p.row) * q.size;
      Two dot = two_at(line) * of_q.h[0];
      if constexpr (q_pair) dot += two_at(line + q.row) * of_q.h[1];
      dots += factor[e] * dot;
    }
    sum[k] += scale * (dots[0] + dots[1]);
  }
}

}  // namespace

INDUCE_MULTIVERSION
void add_table(const OrderedRows& p, const TableColumns& q, double* table) {
  if (p.pair)
    q.pair ? add_table_of<true, true>(p, q, table) : add_table_of<true, false>(p, q, table);
  else
    q.pair ? add_table_of<false, true>(p, q, table) : add_table_of<false, false>(p, q, table);
}

INDUCE_MULTIVERSION
void add_quadratic(const OrderedRows& p, const TableColumns& q, double scale, const double* table,
                   double* sum) {
  if (p.pair)
    q.pair ? add_quadratic_of<true, true>(p, q, scale, table, sum)
           : add_quadratic_of<true, false>(p, q, scale, table, sum);
  else
    q.pair ? add_quadratic_of<false, true>(p, q, scale, table, sum)
           : add_quadratic_of<false, false>(p, q, scale, table, sum);
}

}  // namespace induce::detail
