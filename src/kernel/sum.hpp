// A sum of kernels is a kernel: k = sum_c k_c. Covariances and diagonals add up, an adjoint of k is also an
// adjoint of every k_c, and theta and the sums of the pullback are concatenated.
//
// Parts without covariance between rows and Z (white noise) cost nothing. If only one part has such a covariance,
// it uses the caller's arrays directly. Otherwise each part but the last recomputes its own covariance for its
// pullback, and the last one gets what is left of the sum.
#pragma once

#include "kernel/kernel.hpp"

namespace induce::detail {

class SumKernel final : public Kernel {
 public:
  explicit SumKernel(std::vector<std::unique_ptr<const Kernel>> parts);

  std::string name() const override;
  const std::vector<KernelParameter>& parameters() const override { return parameters_; }
  std::unique_ptr<PlacedKernel> place(const double* theta, const Matrix& Z) const override;
  const Terms* terms() const override;
  std::vector<KernelSummand> summands(const double* theta, Index d) const override;

 private:
  std::vector<std::unique_ptr<const Kernel>> parts_;
  std::vector<KernelParameter> parameters_;
};

}  // namespace induce::detail
