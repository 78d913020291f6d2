// A batch of rows to label, row after row.
//
// Labels are taken as measurements of f with noise of variance 1/w, w = E[-l''], of each latent function; these are independent under
// q, and their information adds up. Rows A that are chosen lower the variances and covariances of all others,
//   S_ij|A = S_ij - S_iA (S_AA + W_A^-1)^-1 S_Aj,
// while means stay what they are on average. Choosing a is a step of a pivoted Cholesky factorisation,
//   l_i = S_ia|A / sqrt(S_aa|A + 1/w_a),      S_ij|A := S_ij|A - l_i l_j.
//
// What the label of a row j would tell, given A:
//   about its own f:    I_j = H(E p) - E H(p) at (m_j, S_jj|A)                                     (likelihood/information.hpp)
//   about the label of another row t:  -log(1 - r2)/2 ~ r2/2,   r2 = S_tj^2 h_t h_j,   h_i = 1 / (S_ii + 1/w_i).
// The next row is that of the largest gain, the mean of r2/2 over T rows of the pool: by so much the label of j is expected to lower
// the negative log-likelihood of a row of the pool. I_j alone asks for rows at the edge of the table, of which the model knows nothing
// and which say nothing about others (docs/decisions.md).
#pragma once

#include <utility>
#include <vector>

#include <induce/rank.hpp>

#include "model/candidates.hpp"
#include "model/joint_covariance.hpp"
#include "model/state.hpp"

namespace induce::detail {

class LabelBatch {
 public:
  // The rows of the pool that stand for it are the last T. points, first_point: of all rows, see JointCovariance. At most
  // `most` rows are chosen.
  LabelBatch(const ModelState& state, std::vector<Candidate> rows, Index T, const RowMatrix& points,
             std::vector<Index> first_point, Index most);

  // The candidate of largest gain per cost that is not chosen.
  Index best() const;
  RankedRow choose(Index a, bool random);

  const Matrix& variances() const { return S2_; }  // rows x C, given the labels of those that are chosen

 private:
  double h(Index i, Index c) const { return w_(i, c) / (1 + w_(i, c) * S2_(i, c)); }
  Vector gains() const;  // of all candidates
  void forget_own();

  const ModelState& state_;
  std::vector<Candidate> rows_;
  JointCovariance covariance_;
  Index T_, candidates_, chosen_ = 0;
  Matrix S2_, w_;                             // rows x C
  std::vector<Matrix> S_tj_;                  // for each function, T x candidates
  std::vector<std::pair<Index, Index>> own_;  // (t, j) of one row
  std::vector<Matrix> L_;                     // for each function, rows x chosen
  std::vector<char> is_chosen_;
};

}  // namespace induce::detail
