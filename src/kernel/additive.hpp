// An additive kernel: the mean of one-dimensional kernels, one per column of a set A of features,
//   k(x, z) = sigma_a^2/|A| sum_(f in A) rho(((x_f - z_f)/l_f)^2),      rho one of shape.hpp.
// A member of A may be a group g of features (KernelSetting), the levels of a category; its term is rho(|x_g - z_g|^2/l_g^2).
// A GP with it is a sum of independent functions of one feature each. Added to a stationary kernel it finds what that
// misses: a wave in one of many features has no gradient at a length-scale of sqrt(d), but has one at 1.
//
// With x and z divided by the length-scales, e_jif = x_if - z_jf, and an adjoint G = dF/dK (m x b),
//   H_f = G o sigma_a^2/|A| s(e_f^2)                            (s is the shape's slope)         (m x b per f)
//   U_jf = sum_i H_jif x_if,   H1_jf = sum_i H_jif                                                     (m x |A|)
//   dF/dlog l_f = sum_ji H_jif e_jif^2 = sum_j (sum_i x_if^2 H_jif - 2 z_jf U_jf + z_jf^2 H1_jf)
//   dF/dz_jf = (U_jf - z_jf H1_jf)/l_f                                             (z_jf unscaled on the left)
//   dF/dlog sigma_a = 2 sum_ji G_ji K_ji.
//
// A block costs |A| exponentials per entry of K, and as many for its pullback. A column with few distinct values in
// the block (one-hot, binary, small integers) needs only one column of exponentials per value:
//   K_.i += e(x_if),     sum_i H_jif = sum_v s_j(v) sum_(i: x_if = v) G_ji.
//
// For a group, H_g = G o sigma_a^2/|A| s(|e_g|^2) is shared by its features, and with H1_jg = sum_i H_jig,
//   dF/dlog l_g = sum_(f in g) sum_ji H_jig e_jif^2,       dF/dz_jf = (sum_i H_jig x_if - z_jf H1_jg)/l_g.
// A row has at most one level, so a group needs one column of distances per level in the block.
//
// Parameters: additive.signal_std and additive.lengthscales. The priors log sigma_a ~ N(-1, 1) and log l_f ~ N(log 3, 1), l_f in
// units of the spread, make the part earn its place; l_f starts at 1/2, where waves are visible, or where plan_kernels.cpp says.
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
