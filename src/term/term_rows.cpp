#include "term/term_rows.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/multiversion.hpp"

namespace induce::detail {
namespace {

// Where the other entries of a term are, from its first one.
struct Offsets {
  explicit Offsets(const Term& term)
      : row(term.axes.size() == 1 ? 1 : term.axes.back().size()), entries(term.entries()) {}
  Index operator[](Index e) const { return entries == 2 ? e : (e & 1) + (e >> 1) * row; }

  Index row, entries;
};

// Two neighbouring columns at once.
INDUCE_MULTIVERSION
void add_scaled_twice(const double* x, Index m, double left, double right, double* y) {
  for (Index j = 0; j < m; ++j) y[j] += left * x[j];
  for (Index j = 0; j < m; ++j) y[m + j] += right * x[j];
}

INDUCE_MULTIVERSION
void add_two(const double* x, Index m, double left, double right, double* y) {
  for (Index j = 0; j < m; ++j) y[j] += left * x[j] + right * x[m + j];
}

struct Side {  // one term of a pair of terms
  const std::int32_t* entry;
  const double* share;
  Index row;  // from the first two entries to the last two
};

// Entries come in neighbouring twos: one two for a column, two for a pair of columns.
template <int p_twos, int q_twos>
INDUCE_ALWAYS_INLINE void add_table_of(const Side& p, const Side& q, Index size_q, Index rows,
                                       const double* w, double* table) {
  for (Index i = 0; i < rows; ++i) {
    double* const at = table + p.entry[i] * size_q + q.entry[i];
    const double *hp = p.share + 4 * i, *hq = q.share + 4 * i;
    for (int e = 0; e < 2 * p_twos; ++e) {
      const double factor = w[i] * hp[e];
      double* const line = at + ((e & 1) + (e >> 1) * p.row) * size_q;
      for (int f = 0; f < q_twos; ++f) {
        line[f * q.row] += factor * hq[2 * f];
        line[f * q.row + 1] += factor * hq[2 * f + 1];
      }
    }
  }
}

template <int p_twos, int q_twos>
INDUCE_ALWAYS_INLINE void add_quadratic_of(const Side& p, const Side& q, Index size_q, Index rows,
                                           double factor, const double* table, double* out) {
  for (Index i = 0; i < rows; ++i) {
    const double* const at = table + p.entry[i] * size_q + q.entry[i];
    const double *hp = p.share + 4 * i, *hq = q.share + 4 * i;
    double sum = 0;
    for (int e = 0; e < 2 * p_twos; ++e) {
      const double* const line = at + ((e & 1) + (e >> 1) * p.row) * size_q;
      double dot = 0;
      for (int f = 0; f < q_twos; ++f)
        dot += line[f * q.row] * hq[2 * f] + line[f * q.row + 1] * hq[2 * f + 1];
      sum += hp[e] * dot;
    }
    out[i] += factor * sum;
  }
}

INDUCE_MULTIVERSION
void add_table(const Side& p, bool p_pair, const Side& q, bool q_pair, Index size_q, Index rows,
               const double* w, double* table) {
  if (p_pair)
    q_pair ? add_table_of<2, 2>(p, q, size_q, rows, w, table)
           : add_table_of<2, 1>(p, q, size_q, rows, w, table);
  else
    q_pair ? add_table_of<1, 2>(p, q, size_q, rows, w, table)
           : add_table_of<1, 1>(p, q, size_q, rows, w, table);
}

INDUCE_MULTIVERSION
void add_quadratic_of_table(const Side& p, bool p_pair, const Side& q, bool q_pair, Index size_q, Index rows,
                            double factor, const double* table, double* out) {
  if (p_pair)
    q_pair ? add_quadratic_of<2, 2>(p, q, size_q, rows, factor, table, out)
           : add_quadratic_of<2, 1>(p, q, size_q, rows, factor, table, out);
  else
    q_pair ? add_quadratic_of<1, 2>(p, q, size_q, rows, factor, table, out)
           : add_quadratic_of<1, 1>(p, q, size_q, rows, factor, table, out);
}

}  // namespace

void TermRows::reserve(const Terms& terms, Index rows) {
  const auto numbers = static_cast<std::size_t>(terms.count() * rows);
  if (entry_.size() < numbers) entry_.resize(numbers);
  if (share_.size() < 4 * numbers) share_.resize(4 * numbers);
}

void TermRows::load(const Terms& terms, const RowBlock& rows) {
  terms_ = &terms;
  rows_ = rows.rows;
  struct At {
    Index entry;
    double share;
  };
  const auto find = [&](const Axis& axis, Index i) -> At {
    const double position = axis.position(rows.x + i * rows.d);
    const Index left = std::min(static_cast<Index>(position), axis.size() - 2);
    return {left, position - static_cast<double>(left)};
  };
  for (Index p = 0; p < terms.count(); ++p) {
    const Term& term = terms[p];
    std::int32_t* entry = entry_.data() + p * rows_;
    double* share = share_.data() + 4 * p * rows_;
    for (Index i = 0; i < rows_; ++i, share += 4) {
      const At first = find(term.axes.front(), i);
      if (term.axes.size() == 1) {
        entry[i] = static_cast<std::int32_t>(first.entry);
        share[0] = 1 - first.share;
        share[1] = first.share;
        continue;
      }
      const At last = find(term.axes.back(), i);
      entry[i] = static_cast<std::int32_t>(first.entry * term.axes.back().size() + last.entry);
      share[0] = (1 - first.share) * (1 - last.share);
      share[1] = (1 - first.share) * last.share;
      share[2] = first.share * (1 - last.share);
      share[3] = first.share * last.share;
    }
  }
}

void TermRows::add_vector(const double* t, double* b) const {
  for (Index p = 0; p < terms_->count(); ++p) {
    const Offsets offset((*terms_)[p]);
    double* own = b + terms_->at(p);
    for (Index i = 0; i < rows_; ++i)
      for (Index e = 0; e < offset.entries; ++e) own[entry(p)[i] + offset[e]] += t[i] * share(p)[4 * i + e];
  }
}

void TermRows::add_products(const double* beta, double* out) const {
  for (Index p = 0; p < terms_->count(); ++p) {
    const Offsets offset((*terms_)[p]);
    const double* own = beta + terms_->at(p);
    for (Index i = 0; i < rows_; ++i)
      for (Index e = 0; e < offset.entries; ++e) out[i] += own[entry(p)[i] + offset[e]] * share(p)[4 * i + e];
  }
}

void TermRows::add_columns(const double* V, Index m, const double* w, double* A) const {
  if (m == 0) return;
  for (Index p = 0; p < terms_->count(); ++p) {
    const Offsets offset((*terms_)[p]);
    double* own = A + terms_->at(p) * m;
    for (Index i = 0; i < rows_; ++i)
      for (Index e = 0; e < offset.entries; e += 2) {
        const double* h = share(p) + 4 * i + e;
        add_scaled_twice(V + i * m, m, w[i] * h[0], w[i] * h[1], own + (entry(p)[i] + offset[e]) * m);
      }
  }
}

void TermRows::combine_columns(const double* Y, Index m, double* out) const {
  if (m == 0) return;
  std::fill_n(out, m * rows_, 0.0);
  for (Index p = 0; p < terms_->count(); ++p) {
    const Offsets offset((*terms_)[p]);
    const double* own = Y + terms_->at(p) * m;
    for (Index i = 0; i < rows_; ++i)
      for (Index e = 0; e < offset.entries; e += 2) {
        const double* h = share(p) + 4 * i + e;
        add_two(own + (entry(p)[i] + offset[e]) * m, m, h[0], h[1], out + i * m);
      }
  }
}

void TermRows::add_tables(const double* w, double* tables) const {
  for (Index p = 0; p < terms_->count(); ++p)
    for (Index q = 0; q <= p; ++q) {
      const Term &of_p = (*terms_)[p], &of_q = (*terms_)[q];
      add_table({entry(p), share(p), of_p.axes.back().size()}, of_p.entries() == 4,
                {entry(q), share(q), of_q.axes.back().size()}, of_q.entries() == 4, of_q.size(), rows_, w,
                tables + terms_->table(p, q));
    }
}

void TermRows::add_quadratic(const double* tables, double* out) const {
  for (Index p = 0; p < terms_->count(); ++p)
    for (Index q = 0; q <= p; ++q) {
      const Term &of_p = (*terms_)[p], &of_q = (*terms_)[q];
      add_quadratic_of_table({entry(p), share(p), of_p.axes.back().size()}, of_p.entries() == 4,
                             {entry(q), share(q), of_q.axes.back().size()}, of_q.entries() == 4, of_q.size(),
                             rows_, q < p ? 2 : 1, tables + terms_->table(p, q), out);
    }
}

}  // namespace induce::detail
