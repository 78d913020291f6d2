// Packs theta, mean and Z into one vector for an optimizer, and unpacks them. If there are several latent functions, their
// scales follow theta, and their means take the place of the mean. So do the thresholds of a likelihood that has some: the first
// of them, and the logarithms of the gaps between them. A mean would shift all thresholds and is not learned then.
// Positive numbers are packed as logarithms. The layout selects which members are packed; the others keep their
// values. The kernel's parameters have bounds; mean and Z have none.
#pragma once

#include <memory>

#include "core/gradient.hpp"
#include "kernel/kernel.hpp"
#include "linalg/types.hpp"

namespace induce::detail {

// Calls visit(at, parameter) for each of the kernel's parameters; `at` is its offset in theta.
template <class Visit>
void for_each_parameter(const Kernel& kernel, const Visit& visit) {
  Index at = 0;
  for (const KernelParameter& parameter : kernel.parameters()) {
    visit(at, parameter);
    at += parameter.count;
  }
}

struct Layout {
  std::shared_ptr<const Kernel> kernel;
  bool mean = false, inputs = false;  // which optional members are packed
  bool thresholds = false;            // that are part of the prior

  Index size(const Prior& prior) const;
  Index threshold_count(const Prior& prior) const { return thresholds ? prior.thresholds.size() : 0; }
  Index first_threshold(const Prior& prior) const;  // in the vector
  Vector pack(const Prior& prior) const;
  Prior unpack(const Prior& like, const Vector& x) const;
  // Writes the gradient in the packed variables to the first size() entries of out.
  void pack_gradient(const Gradient& gradient, Vector& out) const;
  Vector lower(const Prior& prior) const;
  Vector upper(const Prior& prior) const;
};

// The log density of the kernel's priors at theta, of the scales and of the gaps, if `layout` packs them, up to a constant; adds its
// derivatives with respect to the logarithms to the entries of the gradient. A class needs a good reason for an amplitude unlike
// that of the others: log r_c ~ N(0, 1/4). The kernel's own amplitude is the level of all.
double log_prior(const Layout& layout, const Prior& prior, Vector& gradient);

}  // namespace induce::detail
