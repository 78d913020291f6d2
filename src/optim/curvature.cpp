#include "optim/curvature.hpp"

#include <utility>

namespace induce::detail {

Curvature::Middle::Middle(const Matrix& P, const Matrix& C, const Matrix& E)
    : C_(C), P_(P), schur_(E + C * P_.solve(C.transpose())) {}

// [ -P  C' ;  C  E ] [a; b] = v
Vector Curvature::Middle::operator*(const Vector& v) const {
  const Index k = C_.rows();
  Vector ab(2 * k);
  ab.tail(k) = schur_.solve(v.tail(k) + C_ * P_.solve(v.head(k)));
  ab.head(k) = P_.solve(C_.transpose() * ab.tail(k) - v.head(k));
  return ab;
}

void Curvature::clear() {
  theta_ = 1;
  pairs_.clear();
  all_ = Products();
  M_ = middle(all_);
}

void Curvature::add(Vector s, Vector y) {
  const bool full = k() == most_pairs_;
  if (full) pairs_.pop_front();
  const Index old = k();
  theta_ = y.squaredNorm() / s.dot(y);
  pairs_.push_back({std::move(s), std::move(y)});
  const Pair& last = pairs_.back();
  for (Matrix* product : {&all_.SS, &all_.SY, &all_.YY}) {
    const Matrix kept = product->bottomRightCorner(old, old);
    product->resize(old + 1, old + 1);
    product->topLeftCorner(old, old) = kept;
  }
  for (Index j = 0; j <= old; ++j) {
    const Pair& each = pairs_[j];
    all_.SS(j, old) = all_.SS(old, j) = each.s.dot(last.s);
    all_.YY(j, old) = all_.YY(old, j) = each.y.dot(last.y);
    all_.SY(j, old) = each.s.dot(last.y);
    all_.SY(old, j) = last.s.dot(each.y);
  }
  M_ = middle(all_);
  if (!M_->ok()) clear();
}

Curvature::Middle Curvature::middle(const Products& active) const {
  const Matrix free_SY = all_.SY - active.SY;
  Matrix P = (all_.YY - active.YY) / theta_;
  P.diagonal() += all_.SY.diagonal();
  Matrix C = active.SY.triangularView<Eigen::StrictlyLower>();
  C -= free_SY.triangularView<Eigen::Upper>();
  return {P, C, theta_ * active.SS};
}

Curvature::Middle Curvature::N(const std::vector<Index>& active) const {
  Products products{Matrix::Zero(k(), k()), Matrix::Zero(k(), k()), Matrix::Zero(k(), k())};
  Vector s(k()), y(k());
  for (const Index i : active) {
    for (Index j = 0; j < k(); ++j) {
      s[j] = pairs_[j].s[i];
      y[j] = pairs_[j].y[i];
    }
    products.SS.noalias() += s * s.transpose();
    products.SY.noalias() += s * y.transpose();
    products.YY.noalias() += y * y.transpose();
  }
  return middle(products);
}

Vector Curvature::row(Index i) const {
  Vector w(2 * k());
  for (Index j = 0; j < k(); ++j) {
    w[j] = pairs_[j].y[i];
    w[k() + j] = theta_ * pairs_[j].s[i];
  }
  return w;
}

Vector Curvature::Wt_times(const Vector& v) const {
  Vector c(2 * k());
  for (Index j = 0; j < k(); ++j) {
    c[j] = pairs_[j].y.dot(v);
    c[k() + j] = theta_ * pairs_[j].s.dot(v);
  }
  return c;
}

Vector Curvature::W_times(const Vector& c) const {
  Vector v = Vector::Zero(pairs_.empty() ? 0 : pairs_[0].s.size());
  for (Index j = 0; j < k(); ++j) v += c[j] * pairs_[j].y + theta_ * c[k() + j] * pairs_[j].s;
  return v;
}

}  // namespace induce::detail
