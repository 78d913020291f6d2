// Second-order Taylor expansion of log sigma(y f) at xi = m, paper (17):
//   phi = y sigma(-y xi),  psi = sigma(y xi) sigma(-y xi)/2   (erratum E2: with the 1/2),
//   w = 2 psi,  t = phi + 2 psi xi,  c = log sigma(y xi) - phi xi - psi xi^2.
// It is not a lower bound. Its fixed point with Z = X is the Laplace approximation.
#pragma once

#include "site/site.hpp"

namespace induce::detail {

class Taylor final : public SiteRule {
 public:
  void refresh(const double* y, const double* m, const double* S2, Index count, double* w, double* t,
               double* c) const override;
};

}  // namespace induce::detail
