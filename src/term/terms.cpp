#include "term/terms.hpp"

#include <utility>

#include "linalg/blas.hpp"

namespace induce::detail {

Index Term::size() const {
  Index size = 1;
  for (const Axis& axis : axes) size *= axis.size();
  return size;
}

Index Term::entries() const { return axes.size() == 1 ? 2 : 4; }

Terms::Terms(std::vector<Term> terms) : terms_(std::move(terms)) {
  for (const Term& term : terms_) {
    for (Index q = 0; q < static_cast<Index>(at_.size()); ++q)
      table_.push_back(table_.back() + term.size() * terms_[q].size());
    at_.push_back(at_.back() + term.size());
  }
}

Matrix Terms::from_tables(const double* tables) const {
  Matrix S(values(), values());
  for (Index p = 0; p < count(); ++p)
    for (Index q = 0; q <= p; ++q) {
      const Eigen::Map<const RowMatrix> block(tables + table(p, q), terms_[p].size(), terms_[q].size());
      S.block(at_[p], at_[q], block.rows(), block.cols()) = block;
      if (q < p) S.block(at_[q], at_[p], block.cols(), block.rows()) = block.transpose();
    }
  return S;
}

PlacedTerms::PlacedTerms(const Terms& terms, const double* stds, const double* lengthscales)
    : terms_(&terms) {
  for (Index p = 0; p < terms.count(); ++p) {
    Placed placed{stds[p], {}};
    for (const Axis& axis : terms[p].axes) {
      placed.axes.emplace_back(axis, axis.has_lengthscale() ? *lengthscales : 1);
      lengthscales += axis.has_lengthscale();
    }
    placed_.push_back(std::move(placed));
    variance_ += stds[p] * stds[p];
  }
}

// Entry (k, l) of a pair has the number k size_2 + l, so the columns of A that belong to one k are r x size_2, and
// those of all k, r size_2 x size_1.
void PlacedTerms::multiply(Index p, double* A, Index rows, bool transposed) const {
  const Placed& term = placed_[p];
  const Matrix &first = term.axes.front().C, &last = term.axes.back().C;
  if (term.axes.size() == 1) {
    blas::multiply_by_lower(first, transposed, term.std, A, rows);
    return;
  }
  for (Index k = 0; k < first.rows(); ++k)
    blas::multiply_by_lower(last, transposed, 1, A + k * last.rows() * rows, rows);
  blas::multiply_by_lower(first, transposed, term.std, A, rows * last.rows());
}

void PlacedTerms::times_factor(Matrix& A) const {
  for (Index p = 0; p < terms_->count(); ++p) times_factor(p, A.data() + terms_->at(p) * A.rows(), A.rows());
}

void PlacedTerms::times_transposed_factor(Matrix& A) const {
  for (Index p = 0; p < terms_->count(); ++p)
    times_transposed_factor(p, A.data() + terms_->at(p) * A.rows(), A.rows());
}

void PlacedTerms::gradient(const Vector& a, const Matrix& D, double* d_stds, double* d_lengthscales) const {
  for (Index p = 0; p < terms_->count(); ++p) {
    const Index at = D.rows() - terms_->values() + terms_->at(p), size = (*terms_)[p].size();
    const Matrix bracket =
        a.segment(at, size) * a.segment(at, size).transpose() - D.block(at, at, size, size);
    d_stds[p] += bracket.trace();
    const std::vector<PlacedAxis>& axes = placed_[p].axes;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (axes[k].E.size() == 0) continue;
      // The trace over the other axis, whose entries are `step` apart; this one's are `stride` apart.
      const Index own = axes[k].C.rows(), other = size / own, stride = k + 1 < axes.size() ? other : 1,
                  step = stride == 1 ? own : 1;
      double sum = 0;
      for (Index i = 0; i < own; ++i)
        for (Index j = 0; j < own; ++j) {
          double trace = 0;
          for (Index o = 0; o < other; ++o) trace += bracket(i * stride + o * step, j * stride + o * step);
          sum += axes[k].E(i, j) * trace;
        }
      *d_lengthscales++ += sum / 2;
    }
  }
}

}  // namespace induce::detail
