// Jaakkola-Jordan: for every xi and f
//   log sigma(y f) >= log sigma(xi) + (y f - xi)/2 - lambda(xi) (f^2 - xi^2),   equal at f = +-xi,
//   lambda(xi) = tanh(xi/2)/(4 xi)   (erratum E1; 1/8 - xi^2/96 near 0),
// which is the site  w = 2 lambda(xi),  t = y/2,  c = log sigma(xi) - xi/2 + lambda(xi) xi^2.
// The bound is tightest at xi^2 = E f^2 = m^2 + S2: paper (16).
#pragma once

#include "site/site.hpp"

namespace induce::detail {

double jj_lambda(double xi);
double jj_lambda_slope(double xi);  // d lambda / d xi

// The site at a given xi, for the methods that treat xi as a variable.
void jj_site(double y, double xi, double& w, double& t, double& c);

// -d(t - w m)/dm of each row at its marginal, w + 2 lambda'(xi) m^2/xi: positive, because
// 2 lambda + 2 lambda' xi = (1 - tanh^2(xi/2))/4. `sites` have the rows' weights.
Vector jj_slopes(const Sites& sites, const Vector& weight, const Vector& m, const Vector& S2);

class JaakkolaJordan final : public SiteRule {
 public:
  void refresh(const double* y, const double* m, const double* S2, Index count, double* w, double* t,
               double* c) const override;
};

}  // namespace induce::detail
