#include "kernel/distance.hpp"

#include <algorithm>

#include "kernel/stationary.hpp"
#include "linalg/multiversion.hpp"

namespace induce {
namespace {

constexpr double farthest_r2 = farthest_scaled * farthest_scaled;

INDUCE_MULTIVERSION
void scale_distances(const double* x, Index m, double inverse_l2, double* r2) {
  for (Index j = 0; j < m; ++j) {
    const double scaled = x[j] * inverse_l2;
    r2[j] = scaled > farthest_r2 ? farthest_r2 : scaled;  // a NaN stays NaN
  }
}

struct Sums {
  double of_slope = 0, of_covariance = 0;  // sum G o S o r2, sum G o K
};

INDUCE_MULTIVERSION
void add_products(const double* G, const double* S, const double* K, const double* x, Index m, double inverse_l2,
                  Sums& sums) {
  double of_slope = 0, of_covariance = 0;
#pragma omp simd reduction(+ : of_slope, of_covariance)
  for (Index j = 0; j < m; ++j) {
    const double scaled = x[j] * inverse_l2;
    of_slope += G[j] * S[j] * (scaled > farthest_r2 ? farthest_r2 : scaled);
    of_covariance += G[j] * K[j];
  }
  sums.of_slope += of_slope;
  sums.of_covariance += of_covariance;
}

class PlacedDistance final : public PlacedKernel {
 public:
  PlacedDistance(const Shape& shape, double signal_std, double lengthscale, const Matrix& Z)
      : shape_(shape),
        variance_(signal_std * signal_std),
        inverse_l2_(1 / (lengthscale * lengthscale)),
        P_(Z.cols()),
        own_(Z.leftCols(Z.rows())) {}

  double diagonal() const override { return variance_; }
  double signal_variance() const override { return variance_; }
  bool inputs_within_reach() const override {
    return (own_.array() >= 0).all() && (own_.array() * inverse_l2_ <= farthest_r2).all();
  }

  Index workspace(Index /*rows*/) const override { return 0; }
  void load(const RowBlock& /*rows*/, double* /*workspace*/) const override {}
  void covariance(const RowBlock& rows, double* /*workspace*/, double* K) const override {
    covariance_of(rows.x, P_, rows.rows, K);
  }

  Index pullback_size() const override { return 2; }
  void pull_back(const RowBlock& rows, double* /*workspace*/, const double* K, double* G, double* scratch,
                 double* sum) const override {
    const Sums sums = sums_of(rows.x, P_, rows.rows, K, G, scratch);
    sum[0] += sums.of_slope;
    sum[1] += sums.of_covariance;
  }

  void inducing_covariance(Matrix& K) override {
    K_zz_.resize(m(), m());
    covariance_of(own_.data(), m(), m(), K_zz_.data());
    K = K_zz_;
  }

  void gradient(const double* rows, double G_diagonal, const Matrix& G_mm, double jitter, double* d_theta,
                Matrix& /*d_Z*/) const override {
    Matrix scratch(m(), m());
    const Sums inputs = sums_of(own_.data(), m(), m(), K_zz_.data(), G_mm.data(), scratch.data());
    d_theta[0] += 2 * (rows[1] + inputs.of_covariance + variance_ * (G_diagonal + jitter * G_mm.trace()));
    d_theta[1] += rows[0] + inputs.of_slope;
  }

 private:
  Index m() const { return own_.rows(); }

  // x: b rows of `stride` distances, of which the first m count.
  void distances_of(const double* x, Index stride, Index b, double* r2) const {
    for (Index i = 0; i < b; ++i) scale_distances(x + i * stride, m(), inverse_l2_, r2 + i * m());
  }
  void covariance_of(const double* x, Index stride, Index b, double* K) const {
    distances_of(x, stride, b, K);
    shape_.covariance(K, m() * b, variance_);
  }
  Sums sums_of(const double* x, Index stride, Index b, const double* K, const double* G, double* scratch) const {
    const double* S = K;
    if (!shape_.slope_is_covariance()) {
      distances_of(x, stride, b, scratch);
      shape_.slope(scratch, m() * b, variance_);
      S = scratch;
    }
    Sums sums;
    for (Index i = 0; i < b; ++i)
      add_products(G + i * m(), S + i * m(), K + i * m(), x + i * stride, m(), inverse_l2_, sums);
    return sums;
  }

  const Shape& shape_;
  double variance_, inverse_l2_;
  Index P_;
  Matrix own_;   // m x m: squared distances of the inducing inputs, symmetric
  Matrix K_zz_;  // m x m, without noise and jitter
};

}  // namespace

DistanceKernel::DistanceKernel(const std::string& shape, const KernelSetting& setting, const std::string& prefix)
    : name_(shape), shape_(make_shape(shape == "linear" ? "se" : shape)) {
  const KernelSetting of_one{.d = 1, .ard = false, .spread = setting.spread};
  parameters_ = shape == "linear" ? StationaryKernel::nearly_linear(of_one)->parameters()
                                  : StationaryKernel(shape, of_one, prefix).parameters();
}

std::unique_ptr<PlacedKernel> DistanceKernel::place(const double* theta, const Matrix& Z) const {
  return std::make_unique<PlacedDistance>(*shape_, theta[0], theta[1], Z);
}

}  // namespace induce
