// The softmax of C latent functions: p(y = c | f) = exp f_c / sum_k exp f_k. Its expectations are one-dimensional
// integrals, exact to about 1e-10 (softmax.hpp). It supports the Newton rule only: the bounds of the paper are for two
// classes.
#pragma once

#include "likelihood/likelihood.hpp"

namespace induce::detail {

class SoftmaxLikelihood final : public Likelihood {
 public:
  explicit SoftmaxLikelihood(Index classes) : classes_(classes) {}

  std::string_view name() const override { return "softmax"; }
  Index latent_functions() const override { return classes_; }
  bool supports(std::string_view site_rule) const override { return site_rule == "newton"; }
  bool weights_shift_the_mean() const override { return true; }
  void expectations(const double* y, const double* m, const double* S2, Index count, double* value,
                    double* slope, double* curvature) const override;
  void expected_log(const double* y, const double* m, const double* S2, Index count,
                    double* value) const override;
  std::vector<double> latent_means(const std::vector<double>& rates) const override;
  void probabilities(const double* m, const double* S2, Index count, double* p) const override;
  void expected_entropy(const double* m, const double* S2, Index count, double* H) const override;
  void probability_range(const double* m, const double* S2, const double* p, double* low,
                         double* high) const override;

 private:
  Index classes_;
};

}  // namespace induce::detail
