// p(y | f) = sigma(y f), the likelihood of the paper.
#pragma once

#include "likelihood/likelihood.hpp"

namespace induce {

class LogisticLikelihood final : public Likelihood {
 public:
  std::string_view name() const override { return "logistic"; }
  bool supports(std::string_view) const override { return true; }
  void expectations(const double* y, const double* m, const double* S2, Index count, double* value,
                    double* slope, double* curvature) const override;
  void expected_log(const double* y, const double* m, const double* S2, Index count,
                    double* value) const override;
  double probability(double m, double S2) const override;
  double latent_of(double probability) const override;
};

}  // namespace induce
