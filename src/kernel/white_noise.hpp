// White noise: k(x, z) = sigma_n^2 if x and z are the same point of the process, else 0. It enters only the
// diagonal of K_mm and k(x, x) (erratum E7 of docs/math.md), which also keeps K_mm from becoming singular. The
// lower bound of 1e-3 amounts to no noise.
#pragma once

#include "kernel/kernel.hpp"

namespace induce::detail {

class WhiteNoise final : public Kernel {
 public:
  WhiteNoise();
  std::string name() const override { return ""; }
  const std::vector<KernelParameter>& parameters() const override { return parameters_; }
  std::unique_ptr<PlacedKernel> place(const double* theta, const Matrix& Z) const override;
  std::vector<KernelSummand> summands(const double* /*theta*/, Index /*d*/) const override { return {}; }

 private:
  std::vector<KernelParameter> parameters_;
};

}  // namespace induce::detail
