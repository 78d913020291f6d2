// Ordered classes: one latent function and thresholds b_1 < ... < b_(C-1) that cut its line into C intervals,
//   p(y <= k | f) = sigma(b_(k+1) - f),      k = 0, ..., C - 1,      b_0 = -inf,  b_C = inf.
// See ordinal_likelihood.cpp. With two classes and b_1 = 0 it would be the logistic likelihood of -f, so it is for three or more.
#pragma once

#include "likelihood/likelihood.hpp"

namespace induce::detail {

class OrdinalLikelihood final : public Likelihood {
 public:
  // Without thresholds it knows its shape only: given() adds them.
  explicit OrdinalLikelihood(Index classes, Vector thresholds = {});

  std::string_view name() const override { return "ordinal"; }
  Index classes() const override { return classes_; }
  // The bound of Jaakkola and Jordan is for two classes.
  bool supports(std::string_view site_rule) const override {
    return site_rule == "newton" || site_rule == "taylor";
  }
  void expectations(const double* y, const double* m, const double* S2, Index count, double* value,
                    double* slope, double* curvature) const override;
  void expected_log(const double* y, const double* m, const double* S2, Index count,
                    double* value) const override;
  std::vector<double> latent_means(const std::vector<double>& /*rates*/) const override { return {0}; }
  Vector first_thresholds(const std::vector<double>& rates) const override;
  std::shared_ptr<const Likelihood> given(const Vector& thresholds) const override;
  void add_threshold_slopes(const double* y, const double* m, const double* S2, const double* weight,
                            Index count, double* sums) const override;
  void probabilities(const double* m, const double* S2, Index count, double* p) const override;
  void expected_entropy(const double* m, const double* S2, Index count, double* H) const override;
  void probability_range(const double* m, const double* S2, const double* p, double* low,
                         double* high) const override;

 private:
  double probability(Index k, double f) const;  // p(y = k | f)

  Index classes_;
  Vector b_;     // b_[k]: between class k and class k + 1
  Vector rest_;  // log(1 - e^-(b_[k] - b_[k - 1])) of class k, 0 for the first and the last
};

}  // namespace induce::detail
