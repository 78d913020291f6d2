// The prior at one theta and one set of inducing inputs: everything that does not depend on the rows.
//   K_mm = k(Z, Z; theta) (+ jitter sigma_f^2 I) = L L'                                              (m x m)
// A row enters through v_i = L^-1 k_i, and through h_i if the kernel has terms (term/terms.hpp). Whitening every row
// instead of the m x m sums keeps the rounding noise of the bound at 1e-10 instead of 1e-4 (docs/decisions.md).
#pragma once

#include <memory>
#include <vector>

#include "kernel/kernel.hpp"
#include "linalg/jitter.hpp"
#include "linalg/types.hpp"

namespace induce::detail {

// A likelihood of C >= 3 classes has C independent latent functions of one shape: they share the kernel and Z, so K and
// V are computed once, and each has its own mean and amplitude,
//   f_c = mean_c + scale_c g_c,      g_c ~ GP(0, k).
struct ClassPrior {
  double mean = 0, scale = 1;
};

// Everything that defines p(u) and p(f | u), in natural units, and the parameters of p(y | f).
struct Prior {
  Vector theta;                       // the kernel's parameters, in the kernel's order
  double mean = 0;                    // constant mean of f, if it is the only latent function
  Matrix Z;                           // m x d
  std::vector<ClassPrior> classes{};  // one for each latent function, if there are several
  Vector thresholds{};                // of the likelihood, if it has some (likelihood.hpp)

  Index functions() const { return classes.empty() ? 1 : static_cast<Index>(classes.size()); }
};

struct Frame {
  long id = 0;  // frames with equal ids have the same theta and Z (0: none)
  std::shared_ptr<const Kernel> kernel;
  Prior prior;
  std::shared_ptr<const PlacedKernel> placed;  // the kernel at theta and Z
  Matrix L;                                    // m x m
  Matrix W;                                    // solves L v = k for many k (blas.hpp)
  double jitter = 0;                           // relative to sigma_f^2
  bool ok = false;                             // false: K_mm could not be factorised

  Index m() const { return prior.Z.rows(); }
  const PlacedTerms* terms() const { return placed->terms(); }
  Index values() const { return terms() ? terms()->terms().values() : 0; }  // of the terms
  Index size() const { return m() + values(); }                             // of phi
  Index d() const { return prior.Z.cols(); }
  Index functions() const { return prior.functions(); }
  Frame of_one_function() const;  // the frame of g, which has no mean
  double mean(Index c = 0) const { return prior.classes.empty() ? prior.mean : prior.classes[c].mean; }
  double scale(Index c = 0) const { return prior.classes.empty() ? 1 : prior.classes[c].scale; }
};

Frame make_frame(std::shared_ptr<const Kernel> kernel, const Prior& prior, double jitter = first_jitter);

// A frame from a stored factor, without refactorising. It is suitable for predictions, not for gradients.
Frame restore_frame(std::shared_ptr<const Kernel> kernel, const Prior& prior, Matrix L, double jitter);

}  // namespace induce::detail
