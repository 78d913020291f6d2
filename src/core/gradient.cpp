#include "core/gradient.hpp"

#include "linalg/blas.hpp"

namespace induce {

Gradient& Gradient::operator*=(double factor) {
  log_signal_std *= factor;
  log_lengthscales *= factor;
  log_noise_std *= factor;
  mean *= factor;
  Z *= factor;
  return *this;
}

Gradient& Gradient::operator+=(const Gradient& other) {
  log_signal_std += other.log_signal_std;
  log_lengthscales += other.log_lengthscales;
  log_noise_std += other.log_noise_std;
  mean += other.mean;
  Z += other.Z;
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
  return (q.D - q.a * q.a.transpose() - collapsed.Q) / 2;
}

Matrix general_bracket(const Posterior& q, const RowAdjoint& rows) {
  const Index m = q.a.size();
  const Matrix C = Matrix::Identity(m, m) - q.D;
  const Matrix PC = rows.VsV * C;
  const Matrix ha = rows.Vg * q.a.transpose();
  return rows.VsV - PC - PC.transpose() - (ha + ha.transpose()) / 2 - (q.D - q.a * q.a.transpose()) / 2;
}

Gradient gradient(const Frame& frame, const RowAdjoint& rows, const Matrix& G_mm) {
  const Hyper& hyper = frame.hyper;
  const Index m = frame.m();
  KernelPullback inducing(m, frame.d());
  const RowMatrix Z_rows = frame.Z_s;
  Matrix G = G_mm, scratch(m, m);
  inducing.add(*frame.shape, hyper.variance(), Z_rows.data(), m, frame.Z_s, frame.K_signal.data(), G.data(),
               scratch.data());

  const double trace = G_mm.trace();
  Gradient result;
  result.log_signal_std = rows.kernel.log_signal_std() + inducing.log_signal_std() +
                          2 * hyper.variance() * (rows.s + frame.jitter * trace);
  result.log_lengthscales = rows.kernel.log_lengthscales(frame.Z_s) + inducing.log_lengthscales(frame.Z_s);
  result.log_noise_std = 2 * hyper.noise_variance() * (rows.s + trace);
  result.mean = rows.g;
  // Z is both arguments of K_mm; G_mm is symmetric, so the second gives as much as the first.
  result.Z = rows.kernel.inputs(frame.Z_s, frame.inverse_l) + 2 * inducing.inputs(frame.Z_s, frame.inverse_l);
  return result;
}

Gradient fixed_site_gradient(Pass& pass, const Frame& frame, const Collapsed& collapsed, const Sites& sites,
                             Vector& m, Vector& S2) {
  const auto response = [&sites](Index first, Index count, const double* mean, const double* /*S2*/,
                                 double* g, double* s) {
    for (Index i = 0; i < count; ++i) {
      g[i] = sites.t[first + i] - sites.w[first + i] * mean[i];
      s[i] = -sites.w[first + i] / 2;
    }
  };
  const RowAdjoint& rows = pass.second_half(frame, collapsed.q, response, false, m, S2);
  return gradient(frame, rows, unwhiten_adjoint(frame, collapsed_bracket(collapsed)));
}

}  // namespace induce
