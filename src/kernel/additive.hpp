// An additive kernel: the mean of one-dimensional kernels, one per column of a set A of features,
//   k(x, z) = sigma_a^2/|A| sum_(f in A) rho(((x_f - z_f)/l_f)^2),      rho one of shape.hpp.
// A member of A may be a group g of features (KernelSetting), the levels of a category; its term is rho(|x_g - z_g|^2/l_g^2).
// Model files have it from fits before terms (docs/format.md); nothing fits it, so there is no derivative.
//
// A block costs |A| exponentials per entry of K. A column with few distinct values in the block (one-hot, binary, small
// integers) needs only one column of exponentials per value. A row has at most one level, so a group needs one column of
// distances per level in the block.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"
#include "kernel/shape.hpp"

namespace induce::detail {

class AdditiveKernel final : public Kernel {
 public:
  // `groups`: the members of A, increasing; empty: all.
  AdditiveKernel(const std::string& shape, std::vector<Index> groups, const KernelSetting& setting);

  std::string name() const override { return name_; }
  const std::vector<KernelParameter>& parameters() const override { return parameters_; }
  std::unique_ptr<PlacedKernel> place(const double* theta, const Matrix& Z) const override;
  std::vector<KernelSummand> summands(const double* theta, Index d) const override;

 private:
  std::string name_, shape_name_;
  std::unique_ptr<const Shape> shape_;
  std::vector<std::vector<Index>> members_;  // of A: their features
  std::vector<KernelParameter> parameters_;
};

}  // namespace induce::detail
