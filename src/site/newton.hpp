// The quadratic whose expectation under N(m, S2) matches E l, l(f) = log p(y | f), in value and in its
// derivatives with respect to m and S2:
//   w = -E l'',   t = E l' + w m,   c = E l - t m + w (m^2 + S2)/2.
// With several latent functions w and t have one number for each, and c has the sum of their terms.
// At its fixed point q maximises the true bound (11), and F equals it.
#pragma once

#include "site/site.hpp"

namespace induce::detail {

class Newton final : public SiteRule {
 public:
  explicit Newton(const Likelihood& likelihood) : likelihood_(likelihood) {}
  void refresh(const double* y, const double* m, const double* S2, Index count, double* w, double* t,
               double* c) const override;

 private:
  const Likelihood& likelihood_;
};

}  // namespace induce::detail
