#include "train/drop_terms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

// The values of a model without those dropped so far: for each latent function, their mean and covariance.
class Values {
 public:
  Values(const Fitted& model, const Terms& terms) : terms_(terms), left_(terms.count()) {
    std::iota(left_.begin(), left_.end(), Index{0});
    for (const Posterior& q : model.q) {
      a_.emplace_back(q.a.tail(terms.values()));
      C_.emplace_back(-q.D.bottomRightCorner(terms.values(), terms.values()));
      C_.back().diagonal().array() += 1;
    }
  }

  const std::vector<Index>& left() const { return left_; }
  TermSize size(Index p) const { return {terms_[p].size(), terms_[p].entries()}; }
  TermSize size_without(Index p) const {
    TermSize sum;
    for (const Index other : left_)
      if (other != p) sum = sum + size(other);
    return sum;
  }

  double gain(Index p) const {
    const Index at = terms_.at(p), count = terms_[p].size();
    double sum = 0;
    for (std::size_t c = 0; c < a_.size(); ++c) {
      Matrix L = C_[c].block(at, at, count, count);
      if (!blas::cholesky(L)) return INFINITY;
      Vector half = a_[c].segment(at, count);
      blas::solve_lower(L, half.data(), 1);
      sum += half.squaredNorm() / 2 + L.diagonal().array().log().sum();
    }
    return sum;
  }

  void drop(Index p) {
    const Index at = terms_.at(p), count = terms_[p].size();
    for (std::size_t c = 0; c < a_.size(); ++c) {
      Matrix L = C_[c].block(at, at, count, count);
      blas::cholesky(L);
      Matrix half = C_[c].middleRows(at, count);  // L^-1 C_p.
      blas::solve_lower(L, half.data(), half.cols());
      Vector half_a = a_[c].segment(at, count);
      blas::solve_lower(L, half_a.data(), 1);
      a_[c].noalias() -= half.transpose() * half_a;
      C_[c].noalias() -= half.transpose() * half;
    }
    std::erase(left_, p);
  }

 private:
  const Terms& terms_;
  std::vector<Index> left_;
  std::vector<Vector> a_;
  std::vector<Matrix> C_;
};

}  // namespace

void drop_terms(TermList& list, const Fitted& model, const TermWorth& worth) {
  const Terms* terms = model.frame.kernel->terms();
  if (!terms || terms->empty()) return;
  Values values(model, *terms);
  while (values.left().size() > (list.joint.empty() ? 1 : 0)) {
    Index worst = -1;
    double least = 0;  // gain less price
    for (const Index p : values.left()) {
      if (!list.was_found((*terms)[p].columns)) continue;
      const double left = values.gain(p) - worth.price(values.size_without(p), values.size(p));
      if (left >= least) continue;
      worst = p;
      least = left;
    }
    if (worst < 0) return;
    values.drop(worst);
    list.erase((*terms)[worst].columns);
  }
}

}  // namespace induce::detail
