// Packs theta, mean and Z into one vector for an optimizer, and unpacks them.
// Positive numbers are packed as logarithms. The layout selects which members are packed; the others keep their
// values. The kernel's parameters have bounds; mean and Z have none.
#pragma once

#include <memory>

#include "core/gradient.hpp"
#include "kernel/kernel.hpp"
#include "linalg/types.hpp"

namespace induce {

struct Layout {
  std::shared_ptr<const Kernel> kernel;
  bool mean = false, inputs = false;  // which optional members are packed

  Index size(const Prior& prior) const;
  Vector pack(const Prior& prior) const;
  Prior unpack(const Prior& like, const Vector& x) const;
  // Writes the gradient in the packed variables to the first size() entries of out.
  void pack_gradient(const Gradient& gradient, Vector& out) const;
  Vector lower(const Prior& prior) const;
  Vector upper(const Prior& prior) const;
};

// The log density of the kernel's priors at theta, up to a constant; adds its derivatives with respect to the
// logarithms to the first entries of the gradient.
double log_prior(const Kernel& kernel, const Vector& theta, Vector& gradient);

}  // namespace induce
