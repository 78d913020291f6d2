// p(y | f) = Phi(y f), the normal distribution function.
#pragma once

#include "likelihood/likelihood.hpp"

namespace induce {

class ProbitLikelihood final : public Likelihood {
 public:
  std::string_view name() const override { return "probit"; }
  // The paper's bounds are for the logistic likelihood.
  bool supports(std::string_view site_rule) const override { return site_rule == "newton"; }
  void expectations(const double* y, const double* m, const double* S2, Index count, double* value,
                    double* slope, double* curvature) const override;
  void expected_log(const double* y, const double* m, const double* S2, Index count,
                    double* value) const override;
  double probability(double m, double S2) const override;
  double latent_of(double probability) const override;
};

}  // namespace induce
