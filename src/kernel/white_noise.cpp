#include "kernel/white_noise.hpp"

#include <algorithm>

namespace induce::detail {
namespace {

class PlacedWhiteNoise final : public PlacedKernel {
 public:
  PlacedWhiteNoise(double std, Index m) : variance_(std * std), m_(m) {}

  double diagonal() const override { return variance_; }
  double signal_variance() const override { return 0; }

  Index workspace(Index /*rows*/) const override { return 0; }
  void load(const RowBlock& /*rows*/, double* /*workspace*/) const override {}
  void covariance(const RowBlock& rows, double* /*workspace*/, double* K) const override {
    std::fill_n(K, m_ * rows.rows, 0.0);
  }

  Index pullback_size() const override { return 0; }
  void pull_back(const RowBlock& /*rows*/, double* /*workspace*/, const double* /*K*/, double* /*G*/,
                 double* /*scratch*/, double* /*sum*/) const override {}

  void inducing_covariance(Matrix& K) override {
    K.setZero(m_, m_);
    K.diagonal().setConstant(variance_);
  }

  void gradient(const double* /*rows*/, double G_diagonal, const Matrix& G_mm, double /*jitter*/,
                double* d_theta, Matrix& /*d_Z*/) const override {
    d_theta[0] += 2 * variance_ * (G_diagonal + G_mm.trace());
  }

 private:
  double variance_;
  Index m_;
};

}  // namespace

WhiteNoise::WhiteNoise()
    : parameters_{{.name = "noise_std",
                   .count = 1,
                   .lower = 1e-3,
                   .upper = 1e2,
                   .start = 0.1,
                   .prior = std::nullopt}} {}

std::unique_ptr<PlacedKernel> WhiteNoise::place(const double* theta, const Matrix& Z) const {
  return std::make_unique<PlacedWhiteNoise>(theta[0], Z.rows());
}

}  // namespace induce::detail
