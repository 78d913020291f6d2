#include "page/stand_in.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/blas.hpp"

namespace induce::detail {

std::vector<Index> pivoted_order(const Frame& frame) {
  const Index m = frame.m();
  const Matrix L = frame.L.triangularView<Eigen::Lower>();
  const Matrix K = L * L.transpose();
  Vector rest = K.diagonal();  // the variance of each input given those chosen
  Matrix factor(m, m);         // in the original order of rows
  std::vector<Index> order;
  for (Index k = 0; k < m; ++k) {
    Index next = 0;
    rest.maxCoeff(&next);
    order.push_back(next);
    factor.col(k) = K.col(next) - factor.leftCols(k) * factor.row(next).head(k).transpose();
    factor.col(k) /= std::sqrt(std::max(rest[next], 1e-300));
    rest -= factor.col(k).cwiseAbs2();
    rest[next] = -INFINITY;  // not again
  }
  return order;
}

namespace {

// O with v in the new order = O'v.
Matrix rotation_to(const Frame& from, const std::vector<Index>& order, const Frame& to) {
  Matrix O(from.m(), from.m());
  O(order, Eigen::all) = Matrix(to.L.triangularView<Eigen::Lower>());
  blas::solve_lower(from.L, O.data(), O.cols());
  return O;
}

Posterior first_part(const Frame& frame, const Frame& part, const Posterior& q, const Matrix& O) {
  const Index m = frame.m(), count = part.m(), values = frame.values();
  const auto first = O.leftCols(count);
  Vector a(count + values);
  a << first.transpose() * q.a.head(m), q.a.tail(values);
  Matrix D(count + values, count + values);
  D.topLeftCorner(count, count) = first.transpose() * q.D.topLeftCorner(m, m) * first;
  D.topRightCorner(count, values) = first.transpose() * q.D.topRightCorner(m, values);
  D.bottomLeftCorner(values, count) = D.topRightCorner(count, values).transpose();
  D.bottomRightCorner(values, values) = q.D.bottomRightCorner(values, values);
  return restore_posterior(part, std::move(a), std::move(D));
}

}  // namespace

PortableModel stand_in(const Fitted& fitted, const std::vector<Index>& order, Index count) {
  const blas::SingleThreadedBlas single;
  const blas::Buffers buffers(1);
  const Frame& frame = fitted.frame;
  Prior prior = frame.prior;
  prior.Z = frame.prior.Z(order, Eigen::all);
  const Frame all = make_frame(frame.kernel, prior, frame.jitter);
  const Matrix O = rotation_to(frame, order, all);
  prior.Z.conservativeResize(count, Eigen::NoChange);
  Fitted part{make_frame(frame.kernel, prior, frame.jitter), {}};
  for (const Posterior& q : fitted.q) part.q.push_back(first_part(frame, part.frame, q, O));
  PortableModel out = portable(part);
  out.Z = all.prior.Z;
  for (std::size_t c = 0; c < fitted.q.size(); ++c) out.functions[c].alpha = fitted.q[c].alpha(order);
  return out;
}

}  // namespace induce::detail
