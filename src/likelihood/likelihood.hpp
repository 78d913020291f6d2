// The likelihood interface: all that the rest of the library knows about p(y | f).
//
// With l(f) = log p(y | f) and f ~ N(m, S2), training needs only E l and its derivatives with respect to m; the
// derivative with respect to S2 is E[l'']/2. With C latent functions f_c ~ N(m_c, S2_c), independent under q, the
// derivatives are those with respect to each m_c. A new likelihood takes one file and one line in likelihoods.cpp; the
// tests iterate over that table.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

// Of the standard normal distribution: 95 % lie between it and its negative.
inline constexpr double quantile_97_5 = 1.959963984540054;

class Likelihood {
 public:
  virtual ~Likelihood() = default;

  virtual std::string_view name() const = 0;
  // Latent functions per row. If there are C, arrays of means, variances and their derivatives are row-major, C numbers
  // per row.
  virtual Index latent_functions() const { return 1; }
  virtual Index classes() const { return latent_functions() == 1 ? 2 : latent_functions(); }
  // Whether the site rule can approximate this likelihood.
  virtual bool supports(std::string_view site_rule) const = 0;

  // For `count` rows with labels y (+1 or -1; with more than two classes the index of one): E[l], one per row, E[l'] and
  // E[l''] <= 0. `value` may alias `m` if there is one function. Stateless and thread-safe.
  virtual void expectations(const double* y, const double* m, const double* S2, Index count, double* value,
                            double* slope, double* curvature) const = 0;
  virtual void expected_log(const double* y, const double* m, const double* S2, Index count,
                            double* value) const = 0;

  // Means of the latent functions without any information but the rates of the classes, in their order (the second of
  // two classes is y = +1).
  virtual std::vector<double> latent_means(const std::vector<double>& rates) const = 0;

  // A likelihood may have parameters, which are learned with those of the kernel: the thresholds of ordered classes. They are
  // part of the prior (core/frame.hpp), and given() makes the likelihood that has them. Others have none and return themselves.
  virtual Vector first_thresholds(const std::vector<double>& /*rates*/) const { return {}; }
  virtual std::shared_ptr<const Likelihood> given(const Vector& /*thresholds*/) const {
    return {std::shared_ptr<const Likelihood>(), this};
  }
  // Adds sum_i weight_i dE[l_i]/db_k to sums[k], for each threshold.
  virtual void add_threshold_slopes(const double* /*y*/, const double* /*m*/, const double* /*S2*/,
                                    const double* /*weight*/, Index /*count*/, double* /*sums*/) const {}

  // Whether multiplying the odds of the classes at every f is a shift of the means by the logarithms of the factors.
  virtual bool weights_shift_the_mean() const { return false; }

  // Probabilities per row: P(y = +1) alone, or those of more than two classes.
  Index probabilities() const { return classes() == 2 ? 1 : classes(); }
  // For `count` rows; p has probabilities() numbers per row.
  virtual void probabilities(const double* m, const double* S2, Index count, double* p) const = 0;

  // The expected entropy of p(y | f), one per row, in nats.
  virtual void expected_entropy(const double* m, const double* S2, Index count, double* H) const = 0;
  // For one row, the range that has 95 % of p(y = c | f), for each of all classes c (two or C). p: the probabilities of all classes.
  virtual void probability_range(const double* m, const double* S2, const double* p, double* low,
                                 double* high) const = 0;
};

// A class without rows counts as a very rare one.
constexpr double rarest_class = 1e-9;

// A likelihood of two classes.
class BinaryLikelihood : public Likelihood {
 public:
  virtual double probability(double m, double S2) const = 0;  // P(y = +1)
  virtual double latent_of(double probability) const = 0;     // f such that p(y = +1 | f) = probability

  void probabilities(const double* m, const double* S2, Index count, double* p) const final {
    for (Index i = 0; i < count; ++i) p[i] = probability(m[i], S2[i]);
  }
  std::vector<double> latent_means(const std::vector<double>& rates) const final {
    return {latent_of(std::clamp(rates[1], rarest_class, 1 - rarest_class))};
  }
  void expected_entropy(const double* m, const double* S2, Index count, double* H) const final;
  void probability_range(const double* m, const double* S2, const double* p, double* low,
                         double* high) const final;
};

// The likelihood of this name for so many classes. "auto" is logistic, or softmax for more than two; "ordinal" is logistic for
// two. A usage Error lists the known names, or says what a likelihood is for.
const Likelihood& likelihood(std::string_view name, std::size_t classes = 2);
// Those of two classes, in the order of the table.
const std::vector<const BinaryLikelihood*>& binary_likelihoods();

}  // namespace induce::detail
