// p(y | f) = sigma(y f), the likelihood of the paper.
#pragma once

#include "likelihood/symmetric.hpp"

namespace induce::detail {

class LogisticLikelihood final : public SymmetricLikelihood {
 public:
  std::string_view name() const override { return "logistic"; }
  bool supports(std::string_view) const override { return true; }
  bool weights_shift_the_mean() const override { return true; }
  double probability(double m, double S2) const override;
  double latent_of(double probability) const override;

 protected:
  void positive_expectations(const double* m, const double* S2, std::size_t count, double* value,
                             double* slope, double* curvature) const override;
  void positive_expected_log(const double* m, const double* S2, std::size_t count,
                             double* value) const override;
};

}  // namespace induce::detail
