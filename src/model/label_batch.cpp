#include "model/label_batch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "likelihood/information.hpp"

namespace induce::detail {

LabelBatch::LabelBatch(const ModelState& state, std::vector<Candidate> rows, Index T, const RowMatrix& points,
                       std::vector<Index> first_point, Index most)
    : state_(state),
      rows_(std::move(rows)),
      covariance_(state.fitted, points, std::move(first_point)),
      T_(T),
      candidates_(covariance_.rows() - T),
      is_chosen_(static_cast<std::size_t>(candidates_), 0) {
  const Index n = covariance_.rows(), C = state.likelihood->latent_functions();
  S2_.resize(n, C);
  w_.resize(n, C);
  Vector w(C);
  for (Index i = 0; i < n; ++i) {
    const Candidate& row = rows_[static_cast<std::size_t>(i)];
    expected_weights(*state.likelihood, row.mean.data(), row.variance.data(), w.data());
    w_.row(i) = w.transpose();
    for (Index c = 0; c < C; ++c) S2_(i, c) = row.variance[static_cast<std::size_t>(c)];
  }
  S_tj_.assign(static_cast<std::size_t>(C), Matrix(T, candidates_));
  L_.assign(static_cast<std::size_t>(C), Matrix(n, most));
  for (Index t = 0; t < T; ++t) {
    const Matrix S = covariance_.with(candidates_ + t);
    for (Index c = 0; c < C; ++c)
      S_tj_[static_cast<std::size_t>(c)].row(t) = S.col(c).head(candidates_).transpose();
    for (Index j = 0; j < candidates_; ++j)
      if (rows_[static_cast<std::size_t>(j)].row == rows_[static_cast<std::size_t>(candidates_ + t)].row)
        own_.emplace_back(t, j);
  }
  forget_own();
}

// What a label says about itself is no gain.
void LabelBatch::forget_own() {
  for (Matrix& of_function : S_tj_)
    for (const auto& [t, j] : own_) of_function(t, j) = 0;
}

Vector LabelBatch::gains() const {
  Vector sum = Vector::Zero(candidates_), h_t(T_);
  for (Index c = 0; c < S2_.cols() && T_ > 0; ++c) {
    for (Index t = 0; t < T_; ++t) h_t[t] = h(candidates_ + t, c) / (2.0 * static_cast<double>(T_));
    const Vector of_function = S_tj_[static_cast<std::size_t>(c)].cwiseAbs2().transpose() * h_t;
    for (Index j = 0; j < candidates_; ++j) sum[j] += h(j, c) * of_function[j];
  }
  return sum;
}

Index LabelBatch::best() const {
  const Vector gain = gains();
  Index first = -1;
  const auto per_cost = [&](Index j) { return gain[j] / rows_[static_cast<std::size_t>(j)].cost; };
  for (Index j = 0; j < candidates_; ++j)
    if (!is_chosen_[static_cast<std::size_t>(j)] && (first < 0 || per_cost(j) > per_cost(first))) first = j;
  return first;
}

RankedRow LabelBatch::choose(Index a, bool random) {
  const Candidate& row = rows_[static_cast<std::size_t>(a)];
  const Vector S2_a = S2_.row(a).transpose();
  RankedRow out{row.row,
                gains()[a],
                information(*state_.likelihood, row.mean.data(), S2_a.data()),
                covariance_.novelty(a),
                random,
                row.p};
  const Matrix with_a = covariance_.with(a);
  for (Index c = 0; c < S2_.cols(); ++c) {
    Matrix& L = L_[static_cast<std::size_t>(c)];
    Vector l = with_a.col(c) - L.leftCols(chosen_) * L.row(a).head(chosen_).transpose();
    l *= std::sqrt(h(a, c));
    S2_.col(c) = (S2_.col(c) - l.cwiseAbs2()).cwiseMax(0);
    S_tj_[static_cast<std::size_t>(c)].noalias() -= l.tail(T_) * l.head(candidates_).transpose();
    L.col(chosen_) = l;
  }
  forget_own();
  ++chosen_;
  is_chosen_[static_cast<std::size_t>(a)] = 1;
  return out;
}

}  // namespace induce::detail
