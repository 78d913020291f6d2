// p(y | f) = Phi(y f), the normal distribution function.
#pragma once

#include "likelihood/symmetric.hpp"

namespace induce::detail {

class ProbitLikelihood final : public SymmetricLikelihood {
 public:
  std::string_view name() const override { return "probit"; }
  // The bound of Jaakkola and Jordan is for the logistic likelihood.
  bool supports(std::string_view site_rule) const override { return site_rule != "jj"; }
  double probability(double m, double S2) const override;
  double latent_of(double probability) const override;

 protected:
  void positive_expectations(const double* m, const double* S2, std::size_t count, double* value,
                             double* slope, double* curvature) const override;
  void positive_expected_log(const double* m, const double* S2, std::size_t count,
                             double* value) const override;
};

}  // namespace induce::detail
