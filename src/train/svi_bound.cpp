#include "train/svi_bound.hpp"

#include <cmath>

#include "core/gradient.hpp"
#include "linalg/blas.hpp"
#include "rows/reducer.hpp"
#include "train/row_sums.hpp"

namespace induce::detail {

SviBound::SviBound(const Likelihood& likelihood, const Layout& layout, const Prior& like)
    : likelihood_(likelihood), layout_(layout), like_(like) {}

Index SviBound::size() const {
  const Index m = like_.Z.rows();
  return layout_.size(like_) + m + m * (m + 1) / 2;
}

Vector SviBound::pack(const SviPoint& point) const {
  const Index p = layout_.size(like_), m = like_.Z.rows();
  Vector x(size());
  x.head(p) = layout_.pack(point.prior);
  x.segment(p, m) = point.mu;
  Index at = p + m;
  for (Index j = 0; j < m; ++j)
    for (Index i = j; i < m; ++i) x[at++] = point.R(i, j);
  return x;
}

SviPoint SviBound::unpack(const Vector& x) const {
  const Index p = layout_.size(like_), m = like_.Z.rows();
  SviPoint point{layout_.unpack(like_, x.head(p)), x.segment(p, m), Matrix::Zero(m, m)};
  Index at = p + m;
  for (Index j = 0; j < m; ++j)
    for (Index i = j; i < m; ++i) point.R(i, j) = x[at++];
  return point;
}

double SviBound::value(Pass& pass, const Targets& targets, double scale, const Vector& x,
                       Vector* gradient_out, Fitted* fitted) const {
  const SviPoint point = unpack(x);
  Frame frame = make_frame(layout_.kernel, point.prior);
  if (!frame.ok || (point.R.diagonal().array() == 0).any()) return -INFINITY;
  const Index m = frame.m();
  Posterior q = posterior_from(frame, point.mu, point.R);
  const double log_det_C =
      2 * (point.R.diagonal().array().abs().log().sum() - frame.L.diagonal().array().log().sum());
  const double kl = (q.a.squaredNorm() - q.D.trace() - log_det_C) / 2;  // tr C - m = -tr D

  Vector mean, S2;
  double expected = 0;
  if (!gradient_out) {
    pass.marginals(frame, q, mean, S2);
    expected = expected_log_likelihood(likelihood_, targets, mean, S2, pass.workers());
  } else {
    const Vector &y = targets.y, &weight = targets.weight;
    Vector value(y.size());
    RowAdjoint& rows = pass.second_half(
        frame, q,
        [&](Index first, Index count, const double* mi, const double* S2i, double* g, double* s) {
          likelihood_.expectations(y.data() + first, mi, S2i, count, value.data() + first, g, s);
          for (Index i = 0; i < count; ++i) {
            g[i] *= weight[first + i] * scale;
            s[i] *= weight[first + i] * scale / 2;
          }
        },
        true, mean, S2);
    expected = sum_over_rows(value.size(), pass.workers(), [&](Index first, Index count) {
      double sum = 0;
      for (Index i = first; i < first + count; ++i) sum += weight[i] * value[i];
      return sum;
    });

    const Index p = layout_.size(like_);
    layout_.pack_gradient(gradient(frame, rows, unwhiten_adjoint(frame, general_bracket(q, rows))),
                          *gradient_out);
    Vector G_mu = rows.Vg() - q.a;
    blas::solve_lower_transposed(frame.L, G_mu.data(), 1);
    gradient_out->segment(p, m) = G_mu;
    Matrix inner = 2 * rows.VsV();
    inner.diagonal().array() -= 1;
    Matrix G_R = unwhiten_adjoint(frame, inner) * point.R.triangularView<Eigen::Lower>();
    G_R.diagonal().array() += point.R.diagonal().array().inverse();
    Index at = p + m;
    for (Index j = 0; j < m; ++j)
      for (Index i = j; i < m; ++i) (*gradient_out)[at++] = G_R(i, j);
  }
  if (fitted) *fitted = {std::move(frame), {std::move(q)}};
  return scale * expected - kl;
}

}  // namespace induce::detail
