// A stationary kernel: k(x, z) = sigma_f^2 rho(r^2), r^2 = sum_f ((x_f - z_f)/l_f)^2, rho one of shape.hpp. Features of one
// group (KernelSetting) have one l_f, whose derivative is the sum of theirs.
//
// Inputs are divided by the length-scales first: X_s (b x d, row-major), Z_s (m x d). Then
//   r2_ji = |x_i - z_j|^2,   K_ji = sigma_f^2 rho(r2_ji)                                             (m x b)
// and for an adjoint G = dF/dK (m x b), with H = G o sigma_f^2 s(r2) (s is the shape's slope),
//   dF/dlog l_f     = sum_ji H_ji (x_if - z_jf)^2
//                   = sum_i x_if^2 (1'H)_i + sum_j z_jf^2 (H1)_j - 2 sum_j z_jf U_jf,   U = H X_s    (m x d)
//   dF/dz_jf        = (U_jf - (H1)_j z_jf) / l_f                                    (z_jf unscaled on the left)
//   dF/dlog sigma_f = 2 sum_ji G_ji K_ji.
// So a block contributes only U, H1, the weighted squares and one scalar, all sums over rows: there is never a
// derivative matrix per parameter.
//
// Parameters: signal_std (sigma_f) and lengthscales, one for all features or one per group. sigma_f = 1 and a
// length-scale of sqrt(groups), the typical distance between two standardised rows, make the initial prior neither
// flat nor white. The bounds exclude meaningless values: a length-scale of 1e4 times the spread of the features
// is a straight line. The priors, log sigma_f ~ N(0, 1) and log l_f ~ N(log sqrt d, 1), are worth a few nats and
// keep theta finite where the data do not determine it.
#pragma once

#include <memory>

#include "kernel/kernel.hpp"
#include "kernel/shape.hpp"

namespace induce::detail {

// Largest coordinate of a row, in length-scales. Larger ones are clamped to it: every kernel is 0 there, and
// squared distances are still finite.
inline constexpr double farthest_scaled = 1e100;

class StationaryKernel final : public Kernel {
 public:
  // `prefix` is prepended to the parameter names, for sums.
  StationaryKernel(const std::string& shape, const KernelSetting& setting, const std::string& prefix = "");

  // Nearly linear functions, as in logistic regression: a squared exponential whose one length-scale L is fixed at ten
  // times the typical distance of two rows. Over such distances sigma^2 exp(-r^2/2L^2) is a constant plus
  // (sigma/L)^2 x'z, up to 1 %, so the slopes have the deviation sigma/L. log(sigma/L) ~ N(-1, 1).
  static std::unique_ptr<const StationaryKernel> nearly_linear(const KernelSetting& setting);

  std::string name() const override { return name_; }
  const std::vector<KernelParameter>& parameters() const override { return parameters_; }
  std::unique_ptr<PlacedKernel> place(const double* theta, const Matrix& Z) const override;
  std::vector<KernelSummand> summands(const double* theta, Index d) const override;

 private:
  StationaryKernel() = default;

  std::string name_, shape_name_;
  std::unique_ptr<const Shape> shape_;
  std::vector<KernelParameter> parameters_;
  std::vector<Index> group_of_;  // as in KernelSetting
};

}  // namespace induce::detail
