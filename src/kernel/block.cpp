#include "kernel/block.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"

namespace induce {
namespace {

// From this many features on, r2 = |x|^2 + |z|^2 - 2 x'z by one matrix product is faster than summing
// squared differences. It loses digits to cancellation (absolute error about 1e-16 |x|^2), which a kernel
// that is smooth at zero does not notice.
constexpr Index many_features = 24;

// In length-scales. Beyond it every kernel is 0, and squared distances would not be finite.
constexpr double farthest = 1e100;

INDUCE_MULTIVERSION
void sum_squared_differences(const double* x, Index d, const double* Z_s, Index m, double* r2) {
  for (Index j = 0; j < m; ++j) r2[j] = 0;
  Index f = 0;
  for (; f + 4 <= d; f += 4) {  // four features a sweep: r2 is loaded and stored a quarter as often
    const double x0 = x[f], x1 = x[f + 1], x2 = x[f + 2], x3 = x[f + 3];
    const double *z0 = Z_s + f * m, *z1 = z0 + m, *z2 = z1 + m, *z3 = z2 + m;
    for (Index j = 0; j < m; ++j) {
      const double e0 = x0 - z0[j], e1 = x1 - z1[j], e2 = x2 - z2[j], e3 = x3 - z3[j];
      r2[j] += (e0 * e0 + e1 * e1) + (e2 * e2 + e3 * e3);
    }
  }
  for (; f < d; ++f) {
    const double xf = x[f];
    const double* z = Z_s + f * m;
    for (Index j = 0; j < m; ++j) r2[j] += (xf - z[j]) * (xf - z[j]);
  }
}

INDUCE_MULTIVERSION
void add_norms(const double* zz, double xx, Index m, double* r2) {
  for (Index j = 0; j < m; ++j) {
    const double value = xx + zz[j] - 2 * r2[j];
    r2[j] = value > 0 ? value : 0;
  }
}

void squared_distances(const Shape& shape, const double* X_s, Index b, const Matrix& Z_s, double* R2) {
  const Index m = Z_s.rows(), d = Z_s.cols();
  if (d < many_features || !shape.smooth_at_zero()) {
    for (Index i = 0; i < b; ++i) sum_squared_differences(X_s + i * d, d, Z_s.data(), m, R2 + i * m);
    return;
  }
  blas::multiply(Z_s, X_s, b, R2);  // row-major X_s is X_s' column-major: Z_s X_s'
  thread_local Vector zz;
  zz = Z_s.rowwise().squaredNorm();
  for (Index i = 0; i < b; ++i) {
    const double xx = Eigen::Map<const Vector>(X_s + i * d, d).squaredNorm();
    add_norms(zz.data(), xx, m, R2 + i * m);
  }
}

// H := G o S; returns column sums in h (b), adds row sums to H1, returns sum G o K.
INDUCE_MULTIVERSION
double multiply_and_sum(double* G, const double* S, const double* K, Index m, Index b, double* H1,
                        double* h) {
  double GK = 0;
  for (Index i = 0; i < b; ++i) {
    double *g = G + i * m, column = 0, product = 0;
    const double *s = S + i * m, *k = K + i * m;
#pragma omp simd reduction(+ : product, column)
    for (Index j = 0; j < m; ++j) {
      product += g[j] * k[j];
      const double value = g[j] * s[j];
      column += value;
      H1[j] += value;
      g[j] = value;
    }
    GK += product;
    h[i] = column;
  }
  return GK;
}

}  // namespace

void scale_rows(const double* X, Index b, const Vector& inverse_lengthscales, double* X_s) {
  const Index d = inverse_lengthscales.size();
  for (Index i = 0; i < b; ++i)
    for (Index f = 0; f < d; ++f)
      X_s[i * d + f] = std::clamp(X[i * d + f] * inverse_lengthscales[f], -farthest, farthest);
}

void covariance_block(const Shape& shape, double variance, const double* X_s, Index b, const Matrix& Z_s,
                      double* K) {
  squared_distances(shape, X_s, b, Z_s, K);
  shape.covariance(K, Z_s.rows() * b, variance);
}

void KernelPullback::clear(Index m, Index d) {
  U_.setZero(m, d);
  H1_.setZero(m);
  weighted_squares_.setZero(d);
  GK_ = 0;
}

void KernelPullback::add(const Shape& shape, double variance, const double* X_s, Index b, const Matrix& Z_s,
                         const double* K, double* G, double* scratch) {
  const Index m = Z_s.rows(), d = Z_s.cols();
  const double* S = K;
  if (!shape.slope_is_covariance()) {
    squared_distances(shape, X_s, b, Z_s, scratch);
    shape.slope(scratch, m * b, variance);
    S = scratch;
  }
  constexpr Index strip = 64;  // column sums of H for a few rows at a time, on the stack
  double h[strip];
  for (Index first = 0; first < b; first += strip) {
    const Index rows = std::min(strip, b - first);
    GK_ += multiply_and_sum(G + first * m, S + first * m, K + first * m, m, rows, H1_.data(), h);
    for (Index i = 0; i < rows; ++i) {
      const double* x = X_s + (first + i) * d;
      for (Index f = 0; f < d; ++f) weighted_squares_[f] += h[i] * x[f] * x[f];
    }
  }
  blas::add_times_rows(G, m, b, X_s, d, U_.data());
}

KernelPullback& KernelPullback::operator+=(const KernelPullback& other) {
  U_ += other.U_;
  H1_ += other.H1_;
  weighted_squares_ += other.weighted_squares_;
  GK_ += other.GK_;
  return *this;
}

Vector KernelPullback::log_lengthscales(const Matrix& Z_s) const {
  return weighted_squares_ + (Z_s.cwiseProduct(Z_s)).transpose() * H1_ -
         2 * Z_s.cwiseProduct(U_).colwise().sum().transpose();
}

Matrix KernelPullback::inputs(const Matrix& Z_s, const Vector& inverse_lengthscales) const {
  return (U_ - H1_.asDiagonal() * Z_s) * inverse_lengthscales.asDiagonal();
}

}  // namespace induce
