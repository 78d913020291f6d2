#include "model/joint_covariance.hpp"

#include <algorithm>
#include <utility>

#include "linalg/blas.hpp"
#include "rows/row_source.hpp"
#include "term/term_rows.hpp"

namespace induce::detail {
namespace {

// The columns of phi that belong to a block of points.
class Features {
 public:
  Features(const Frame& frame, Index block_rows)
      : frame_(frame), workspace_(frame.placed->workspace(block_rows)), K_(frame.m(), block_rows), V_(K_) {
    if (frame.terms()) terms_.reserve(frame.terms()->terms(), block_rows);
  }
  void of(const RowBlock& block, Eigen::Ref<Matrix> phi) {
    const Index m = frame_.m();
    frame_.placed->load(block, workspace_.data());
    frame_.placed->covariance(block, workspace_.data(), K_.data());
    blas::solve_with(frame_.W, K_.data(), V_.data(), block.rows);
    phi.topRows(m) = V_.leftCols(block.rows);
    if (!frame_.terms()) return;
    terms_.load(frame_.terms()->terms(), block);
    const Matrix unit = Matrix::Identity(block.rows, block.rows);
    const Vector one = Vector::Ones(block.rows);
    Matrix H = Matrix::Zero(block.rows, frame_.values());  // sum_i e_i h_i'
    terms_.add_columns(0, block.rows, unit.data(), block.rows, one.data(), H.data());
    frame_.terms()->times_factor(H);
    phi.bottomRows(frame_.values()) = H.transpose();
  }

 private:
  const Frame& frame_;
  Vector workspace_;
  Matrix K_, V_;
  TermRows terms_;
};

}  // namespace

JointCovariance::JointCovariance(const Fitted& fitted, const RowMatrix& points,
                                 std::vector<Index> first_point)
    : fitted_(fitted), points_(points), first_point_(std::move(first_point)) {
  const Frame& frame = fitted.frame;
  const Index n = static_cast<Index>(first_point_.size()) - 1;
  Index most = 256;
  for (Index i = 0; i < n; ++i) most = std::max(most, first_point_[i + 1] - first_point_[i]);
  const double signal = frame.placed->signal_variance();
  Phi_.resize(frame.size(), n);
  novelty_ = Vector::Zero(n);
  Features features(frame, most);
  Matrix phi(frame.size(), most);
  for (Index i = 0, next = 0; i < n; i = next) {  // rows i to next - 1: a block of points
    while (next < n && first_point_[next + 1] - first_point_[i] <= most) ++next;
    const Index first = first_point_[i], count = first_point_[next] - first;
    features.of({first, count, points.cols(), points.data() + first * points.cols()}, phi.leftCols(count));
    for (Index row = i; row < next; ++row) {
      const auto of_row =
          phi.middleCols(first_point_[row] - first, first_point_[row + 1] - first_point_[row]);
      Phi_.col(row) = of_row.rowwise().mean();
      if (!(signal > 0)) continue;
      const auto explained = of_row.topRows(frame.m()).colwise().squaredNorm() / signal;
      novelty_[row] = (1 - explained.array()).max(0).min(1).mean();
    }
  }
  if (!(signal > 0) || n == 0) return;
  at_points_ = frame.kernel->place(frame.prior.theta.data(), points);
  workspace_.resize(at_points_->workspace(most));
  K_.resize(points.rows(), most);
}

Matrix JointCovariance::with(Index row) {
  const Frame& frame = fitted_.frame;
  const Index m = frame.m();
  Vector prior = Vector::Zero(rows());  // k_ij
  if (at_points_) {
    const Index first = first_point_[row], count = first_point_[row + 1] - first;
    const RowBlock block{first, count, points_.cols(), points_.data() + first * points_.cols()};
    at_points_->load(block, workspace_.data());
    at_points_->covariance(block, workspace_.data(), K_.data());
    const Vector of_points = K_.leftCols(count).rowwise().mean();
    for (Index i = 0; i < rows(); ++i)
      prior[i] = of_points.segment(first_point_[i], first_point_[i + 1] - first_point_[i]).mean();
  }
  Matrix out(rows(), frame.functions());
  for (Index c = 0; c < frame.functions(); ++c) {
    Vector weights = -(fitted_.q[static_cast<std::size_t>(c)].D * Phi_.col(row));
    weights.tail(frame.size() - m) += Phi_.col(row).tail(frame.size() - m);
    out.col(c) = frame.scale(c) * frame.scale(c) * (prior + Phi_.transpose() * weights);
  }
  return out;
}

}  // namespace induce::detail
