// Second-order Taylor expansion of l(f) = log p(y | f) at xi = m, for any l with l'' <= 0:
//   w = -l''(xi),  t = l'(xi) + w xi,  c = l(xi) - t xi + w xi^2/2,
// the Newton site (newton.hpp) of a marginal without variance. For log sigma(y f) this is paper (17):
//   phi = y sigma(-y xi),  psi = sigma(y xi) sigma(-y xi)/2   (erratum E2: with the 1/2),  w = 2 psi,  t = phi + 2 psi xi.
// It is not a lower bound. Its fixed point with Z = X is the Laplace approximation.
#pragma once

#include "site/newton.hpp"

namespace induce::detail {

class Taylor final : public SiteRule {
 public:
  explicit Taylor(const Likelihood& likelihood) : at_the_mean_(likelihood) {}
  // One latent function per row.
  void refresh(const double* y, const double* m, const double* S2, Index count, double* w, double* t,
               double* c) const override;

 private:
  Newton at_the_mean_;
};

}  // namespace induce::detail
