#include "core/gradient.hpp"

#include "likelihood/thresholds.hpp"
#include "linalg/blas.hpp"

namespace induce::detail {

Gradient& Gradient::operator*=(double factor) {
  log_theta *= factor;
  mean *= factor;
  Z *= factor;
  thresholds *= factor;
  for (ClassPrior& each : classes) {
    each.mean *= factor;
    each.scale *= factor;
  }
  return *this;
}

Gradient& Gradient::operator+=(const Gradient& other) {
  log_theta += other.log_theta;
  mean += other.mean;
  Z += other.Z;
  thresholds += other.thresholds;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    classes[c].mean += other.classes[c].mean;
    classes[c].scale += other.classes[c].scale;
  }
  return *this;
}

Matrix unwhiten_adjoint(const Frame& frame, Matrix A) {
  blas::solve_lower_transposed(frame.L, A.data(), A.cols());  // L^-T A
  Matrix At = A.transpose();                                  // A L^-1
  blas::solve_lower_transposed(frame.L, At.data(), At.cols());
  return (At + At.transpose()) / 2;  // symmetric up to rounding
}

Matrix collapsed_bracket(const Collapsed& collapsed) {
  const Posterior& q = collapsed.q;
  const Index m = q.alpha.size();
  return (q.D.topLeftCorner(m, m) - q.a.head(m) * q.a.head(m).transpose() - collapsed.Q.topLeftCorner(m, m)) /
         2;
}

Matrix general_bracket(const Posterior& q, RowAdjoint& rows) {
  const Index m = q.a.size();
  const Matrix C = Matrix::Identity(m, m) - q.D, VsV = rows.VsV();
  const Vector Vg = rows.Vg();
  const Matrix PC = VsV * C;
  const Matrix ha = Vg * q.a.transpose();
  return VsV - PC - PC.transpose() - (ha + ha.transpose()) / 2 - (q.D - q.a * q.a.transpose()) / 2;
}

Gradient gradient(const Frame& frame, RowAdjoint& rows, const Matrix& G_mm) {
  Gradient result;
  result.log_theta.setZero(frame.prior.theta.size());
  result.mean = rows.g();
  for (std::size_t c = 0; c < frame.prior.classes.size(); ++c)
    result.classes.push_back({.mean = rows.g(static_cast<Index>(c)), .scale = rows.r(static_cast<Index>(c))});
  result.thresholds = packed_slopes(frame.prior.thresholds, rows.thresholds());
  result.Z.setZero(frame.m(), frame.d());
  frame.placed->gradient(rows.kernel(), rows.s(), G_mm, frame.jitter, result.log_theta.data(), result.Z);
  return result;
}

Gradient fixed_site_gradient(const Frame& frame, std::span<const Collapsed> collapsed, RowAdjoint& rows) {
  Matrix bracket = collapsed_bracket(collapsed[0]);
  for (std::size_t c = 1; c < collapsed.size(); ++c) bracket += collapsed_bracket(collapsed[c]);
  Gradient result = gradient(frame, rows, unwhiten_adjoint(frame, std::move(bracket)));
  for (const Collapsed& each : collapsed)
    frame.placed->gradient_of_terms(each.q.a, each.q.D, result.log_theta.data());
  return result;
}

Gradient fixed_site_gradient(Pass& pass, const Frame& frame, std::span<const Collapsed> collapsed,
                             const Sites& sites, Vector& m, Vector& S2) {
  const Index functions = frame.functions();
  const auto response = [&sites, functions](Index c, Index first, Index count, const double* mean,
                                            const double* /*S2*/, double* g, double* s) {
    for (Index i = 0; i < count; ++i) {
      const Index at = (first + i) * functions + c;
      g[i] = sites.t[at] - sites.w[at] * mean[i];
      s[i] = -sites.w[at] / 2;
    }
  };
  return fixed_site_gradient(frame, collapsed,
                             pass.second_half(frame, Posteriors(collapsed), response, m, S2));
}

}  // namespace induce::detail
