// The prior at one theta and one set of inducing inputs: everything that does not depend on the rows.
//   K_mm = k(Z, Z; theta) (+ jitter sigma_f^2 I) = L L'                                              (m x m)
// A row enters through v_i = L^-1 k_i. Whitening every row instead of the m x m sums keeps the rounding noise
// of the bound at 1e-10 instead of 1e-4 (docs/decisions.md).
#pragma once

#include <memory>

#include "kernel/kernel.hpp"
#include "linalg/jitter.hpp"
#include "linalg/types.hpp"

namespace induce {

// Everything that defines p(u) and p(f | u), in natural units.
struct Prior {
  Vector theta;     // the kernel's parameters, in the kernel's order
  double mean = 0;  // constant mean of f
  Matrix Z;         // m x d
};

struct Frame {
  long id = 0;  // of this theta and Z: frames with equal ids are the same (0: none)
  std::shared_ptr<const Kernel> kernel;
  Prior prior;
  std::shared_ptr<const PlacedKernel> placed;  // the kernel at theta and Z
  Matrix L;                                    // m x m
  Matrix W;                                    // solves L v = k for many k (blas.hpp)
  double jitter = 0;                           // relative to sigma_f^2
  bool ok = false;                             // false: K_mm could not be factorised

  Index m() const { return prior.Z.rows(); }
  Index d() const { return prior.Z.cols(); }
  double mean() const { return prior.mean; }
};

Frame make_frame(std::shared_ptr<const Kernel> kernel, const Prior& prior, double jitter = first_jitter);

// From a stored factor, without refactorising. Suitable for predictions, not for gradients.
Frame restore_frame(std::shared_ptr<const Kernel> kernel, const Prior& prior, Matrix L, double jitter);

}  // namespace induce
