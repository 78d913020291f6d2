#include "explain/term_effects.hpp"

#include <cmath>

#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

// h at these rows: entries x rows.
Matrix entries_of(const Axis& axis, const RowMatrix& at) {
  Matrix h = Matrix::Zero(axis.size(), at.rows());
  for (Index i = 0; i < at.rows(); ++i) {
    const double position = axis.position(at.row(i).data());
    const auto entry = static_cast<Index>(position);
    const double share = position - static_cast<double>(entry);
    h(entry, i) = 1 - share;
    if (share > 0) h(entry + 1, i) = share;
  }
  return h;
}

// Columns a_i (x) b_j, the second one of which changes first; entry (k, l) has the number k size_2 + l.
Matrix products(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows() * b.rows(), a.cols() * b.cols());
  for (Index i = 0; i < a.cols(); ++i)
    for (Index j = 0; j < b.cols(); ++j)
      for (Index k = 0; k < a.rows(); ++k)
        out.col(i * b.cols() + j).segment(k * b.rows(), b.rows()) = a(k, i) * b.col(j);
  return out;
}

}  // namespace

TermEffects::TermEffects(const Fitted& fitted, const RowMatrix& rows) : fitted_(fitted) {
  if (!fitted.frame.terms()) return;
  for (Index p = 0; p < terms().count(); ++p) {
    average_.emplace_back();
    for (const Axis& axis : terms()[p].axes)
      average_.back().push_back(entries_of(axis, rows).rowwise().mean());
  }
}

Matrix TermEffects::centred(Index term, std::size_t axis, const RowMatrix& at) const {
  return entries_of(terms()[term].axes[axis], at).colwise() - average_[term][axis];
}

std::vector<TermEffects::Block> TermEffects::column(Index column, const RowMatrix& at) const {
  std::vector<Block> out;
  for (Index p = 0; p < static_cast<Index>(average_.size()); ++p) {
    const std::vector<Index>& columns = terms()[p].columns;
    if (columns.front() == column)
      out.push_back(
          {p, columns.size() == 1 ? centred(p, 0, at) : products(centred(p, 0, at), average_[p][1])});
    else if (columns.back() == column)
      out.push_back({p, products(average_[p][0], centred(p, 1, at))});
  }
  return out;
}

Matrix TermEffects::mean(const std::vector<Block>& effect, Index points) const {
  Matrix out = Matrix::Zero(points, fitted_.frame.functions());
  for (const auto& [p, omega] : effect)
    for (Index c = 0; c < out.cols(); ++c)
      out.col(c) += fitted_.frame.scale(c) *
                    (omega.transpose() * fitted_.q[c].beta.segment(terms().at(p), omega.rows()));
  return out;
}

std::vector<Index> TermEffects::pairs() const {
  std::vector<Index> out;
  for (Index p = 0; p < static_cast<Index>(average_.size()); ++p)
    if (average_[p].size() == 2) out.push_back(p);
  return out;
}

Matrix TermEffects::grid(Index term, Index function) const {
  const Index rows = average_[term][0].size(), columns = average_[term][1].size();
  return fitted_.frame.scale(function) *
         Eigen::Map<const RowMatrix>(fitted_.q[function].beta.data() + terms().at(term), rows, columns);
}

Curve TermEffects::pair(Index term, const RowMatrix& first, const RowMatrix& second) const {
  const Matrix omega = products(centred(term, 0, first), centred(term, 1, second));
  const Index at = terms().at(term), size = omega.rows(), functions = fitted_.frame.functions();
  Matrix all = Matrix::Zero(omega.cols(), terms().values());
  all.middleCols(at, size) = omega.transpose();
  fitted_.frame.terms()->times_factor(all);
  const Matrix e = all.middleCols(at, size).transpose();
  Matrix variance(omega.cols(), functions), De(size, e.cols());
  for (Index c = 0; c < functions; ++c) {
    const Matrix D = fitted_.q[c].D.block(fitted_.frame.m() + at, fitted_.frame.m() + at, size, size);
    blas::multiply(D, e.data(), e.cols(), De.data());
    variance.col(c) =
        std::pow(fitted_.frame.scale(c), 2) * e.cwiseProduct(e - De).colwise().sum().transpose();
  }
  return curve_of(mean({{term, omega}}, omega.cols()), std::move(variance));
}

Matrix TermEffects::pair_mean(Index term, const RowMatrix& at) const {
  const Matrix first = centred(term, 0, at), second = centred(term, 1, at);
  Matrix out(at.rows(), fitted_.frame.functions());
  for (Index c = 0; c < out.cols(); ++c)
    out.col(c) = first.cwiseProduct(grid(term, c) * second).colwise().sum().transpose();
  subtract_average(out);
  return out;
}

}  // namespace induce::detail
