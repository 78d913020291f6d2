// theta, mean and Z as one vector for an optimizer, and back.
// Positive numbers travel as logarithms. Which members travel is the layout's choice; the others keep the
// values they had. The box keeps a fit away from numbers that mean nothing: a length-scale of 1e4 times the
// spread of the features is a straight line, a noise of 1e-3 is none. The noise floor also keeps K_mm away
// from singular.
#pragma once

#include "core/gradient.hpp"
#include "kernel/hyper.hpp"
#include "linalg/types.hpp"

namespace induce {

struct Prior {  // everything that defines p(u) and p(f | u)
  Hyper hyper;
  Matrix Z;  // m x d
};

struct Layout {
  bool noise = true, mean = false, inputs = false;  // which optional members travel
  double spread = 1;  // of the features in the model's units: 1 when standardised

  Index size(const Prior& prior) const;
  Vector pack(const Prior& prior) const;
  Prior unpack(const Prior& like, const Vector& x) const;
  // Writes the gradient in the packed variables to the first size() entries of out.
  void pack_gradient(const Prior& prior, const Gradient& gradient, Vector& out) const;
  Vector lower(const Prior& prior) const;
  Vector upper(const Prior& prior) const;
};

}  // namespace induce
