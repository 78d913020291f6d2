// A sum of kernels is a kernel: k = sum_c k_c, so covariances and diagonals add up, an adjoint of k is one of
// every k_c, and theta and the pullback's sums are those of the parts one after the other.
//
// Parts without covariance between rows and Z (white noise) cost nothing. A single part with one is handed the
// caller's arrays as they are; where there are more, each recomputes its own covariance for its pullback.
#pragma once

#include "kernel/kernel.hpp"

namespace induce {

class SumKernel final : public Kernel {
 public:
  explicit SumKernel(std::vector<std::unique_ptr<const Kernel>> parts);

  const std::vector<KernelParameter>& parameters() const override { return parameters_; }
  std::unique_ptr<PlacedKernel> place(const double* theta, const Matrix& Z) const override;

 private:
  std::vector<std::unique_ptr<const Kernel>> parts_;
  std::vector<KernelParameter> parameters_;
};

}  // namespace induce
