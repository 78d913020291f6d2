#include "term/term_rows.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/multiversion.hpp"
#include "term/table_loops.hpp"

namespace induce::detail {
namespace {

// Where the other entries of a term are, from its first one.
struct Offsets {
  explicit Offsets(const Term& term)
      : row(term.axes.size() == 1 ? 1 : term.axes.back().size()), entries(term.entries()) {}
  Index operator[](Index e) const { return entries == 2 ? e : (e & 1) + (e >> 1) * row; }

  Index row, entries;
};

struct Shares {
  double h[4];
};

INDUCE_ALWAYS_INLINE Shares shares_of(const double* share, Index entries) {
  const double s = share[0];
  if (entries == 2) return {{1 - s, s}};
  const double r = share[1];
  return {{(1 - s) * (1 - r), (1 - s) * r, s * (1 - r), s * r}};
}

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

}  // namespace

void TermRows::reserve(const Terms& terms, Index rows) {
  capacity_ = std::max(capacity_, rows);
  const auto numbers = static_cast<std::size_t>(terms.count() * capacity_);
  if (entry_.size() < numbers) {
    entry_.resize(numbers);
    share_.resize(2 * numbers);
    order_.resize(numbers);
  }
  if (static_cast<Index>(sum_.size()) < capacity_) {
    sum_.resize(static_cast<std::size_t>(capacity_));
    factor_.resize(static_cast<std::size_t>(4 * capacity_));
  }
  Index most = 0;
  for (Index p = 0; p < terms.count(); ++p) most = std::max(most, terms[p].size());
  if (static_cast<Index>(count_.size()) < most) count_.resize(static_cast<std::size_t>(most));
}

void TermRows::load(const Terms& terms, const RowBlock& rows, Index at) {
  terms_ = &terms;
  rows_ = at + rows.rows;
  for (Index p = 0; p < terms.count(); ++p) {
    const std::vector<Axis>& axes = terms[p].axes;
    std::int32_t* entry = entry_.data() + p * capacity_ + at;
    double* share = share_.data() + 2 * (p * capacity_ + at);
    for (Index i = 0; i < rows.rows; ++i) {
      const Axis::Place first = axes.front().place(rows.x + i * rows.d);
      entry[i] = static_cast<std::int32_t>(first.entry);
      share[2 * i] = first.share;
    }
    if (axes.size() == 1) continue;
    const auto size = static_cast<std::int32_t>(axes.back().size());
    for (Index i = 0; i < rows.rows; ++i) {
      const Axis::Place last = axes.back().place(rows.x + i * rows.d);
      entry[i] = entry[i] * size + static_cast<std::int32_t>(last.entry);
      share[2 * i + 1] = last.share;
    }
  }
}

void TermRows::add_vector(Index first, Index rows, const double* t, double* b) const {
  for (Index p = 0; p < terms_->count(); ++p) {
    const Offsets offset((*terms_)[p]);
    const std::int32_t* at = entry(p) + first;
    double* own = b + terms_->at(p);
    for (Index i = 0; i < rows; ++i) {
      const Shares shares = shares_of(share(p) + 2 * (first + i), offset.entries);
      for (Index e = 0; e < offset.entries; ++e) own[at[i] + offset[e]] += t[i] * shares.h[e];
    }
  }
}

void TermRows::add_products(Index first, Index rows, const double* beta, double* out) const {
  for (Index p = 0; p < terms_->count(); ++p) {
    const Offsets offset((*terms_)[p]);
    const std::int32_t* at = entry(p) + first;
    const double* own = beta + terms_->at(p);
    for (Index i = 0; i < rows; ++i) {
      const Shares shares = shares_of(share(p) + 2 * (first + i), offset.entries);
      for (Index e = 0; e < offset.entries; ++e) out[i] += own[at[i] + offset[e]] * shares.h[e];
    }
  }
}

void TermRows::add_columns(Index first, Index rows, const double* V, Index m, const double* w,
                           double* A) const {
  if (m == 0) return;
  for (Index p = 0; p < terms_->count(); ++p) {
    const Offsets offset((*terms_)[p]);
    const std::int32_t* at = entry(p) + first;
    double* own = A + terms_->at(p) * m;
    for (Index i = 0; i < rows; ++i) {
      const Shares shares = shares_of(share(p) + 2 * (first + i), offset.entries);
      for (Index e = 0; e < offset.entries; e += 2)
        add_scaled_twice(V + i * m, m, w[i] * shares.h[e], w[i] * shares.h[e + 1],
                         own + (at[i] + offset[e]) * m);
    }
  }
}

void TermRows::combine_columns(Index first, Index rows, const double* Y, Index m, double* out) const {
  if (m == 0) return;
  std::fill_n(out, m * rows, 0.0);
  for (Index p = 0; p < terms_->count(); ++p) {
    const Offsets offset((*terms_)[p]);
    const std::int32_t* at = entry(p) + first;
    const double* own = Y + terms_->at(p) * m;
    for (Index i = 0; i < rows; ++i) {
      const Shares shares = shares_of(share(p) + 2 * (first + i), offset.entries);
      for (Index e = 0; e < offset.entries; e += 2)
        add_two(own + (at[i] + offset[e]) * m, m, shares.h[e], shares.h[e + 1], out + i * m);
    }
  }
}

// By counting.
void TermRows::order() {
  for (Index p = 0; p < terms_->count(); ++p) {
    std::int32_t *to = order_.data() + p * capacity_, *count = count_.data();
    if (rows_ == 1) {
      *to = 0;
      continue;
    }
    const std::int32_t* at = entry(p);
    std::fill_n(count, (*terms_)[p].size(), 0);
    for (Index i = 0; i < rows_; ++i) ++count[at[i]];
    std::exclusive_scan(count, count + (*terms_)[p].size(), count, 0);
    for (Index i = 0; i < rows_; ++i) to[count[at[i]]++] = static_cast<std::int32_t>(i);
  }
}

void TermRows::add_tables(const double* w, double* tables) {
  for (Index p = 0; p < terms_->count(); ++p) {
    const Term& of_p = (*terms_)[p];
    const std::int32_t* order = ordered(p);
    for (Index k = 0; k < rows_; ++k) {
      const Index i = order[k];
      const Shares shares = shares_of(share(p) + 2 * i, of_p.entries());
      for (Index e = 0; e < of_p.entries(); ++e) factor_[4 * k + e] = w[i] * shares.h[e];
    }
    const OrderedRows rows{
        rows_, order, entry(p), factor_.data(), of_p.axes.back().size(), of_p.entries() == 4};
    for (Index q = 0; q <= p; ++q) {
      const Term& of_q = (*terms_)[q];
      add_table(rows, {entry(q), share(q), of_q.axes.back().size(), of_q.size(), of_q.entries() == 4},
                tables + terms_->table(p, q));
    }
  }
}

void TermRows::set_quadratic(const double* tables, double* out) {
  std::fill_n(out, rows_, 0.0);
  for (Index p = 0; p < terms_->count(); ++p) {
    const Term& of_p = (*terms_)[p];
    const std::int32_t* order = ordered(p);
    for (Index k = 0; k < rows_; ++k) {
      const Shares shares = shares_of(share(p) + 2 * static_cast<Index>(order[k]), of_p.entries());
      std::copy_n(shares.h, of_p.entries(), factor_.data() + 4 * k);
    }
    const OrderedRows rows{
        rows_, order, entry(p), factor_.data(), of_p.axes.back().size(), of_p.entries() == 4};
    std::fill_n(sum_.data(), rows_, 0.0);
    for (Index q = 0; q <= p; ++q) {
      const Term& of_q = (*terms_)[q];
      add_quadratic(rows, {entry(q), share(q), of_q.axes.back().size(), of_q.size(), of_q.entries() == 4},
                    q < p ? 2 : 1, tables + terms_->table(p, q), sum_.data());
    }
    for (Index k = 0; k < rows_; ++k) out[order[k]] += sum_[static_cast<std::size_t>(k)];
  }
}

}  // namespace induce::detail
