// The likelihood interface: all that the rest of the library knows about p(y | f).
//
// With l(f) = log p(y | f) and f ~ N(m, S2), training needs only E l and its derivatives with respect to m; the
// derivative with respect to S2 is E[l'']/2. A new likelihood takes one file and one line in likelihoods.cpp; the
// tests iterate over that table.
#pragma once

#include <string_view>
#include <vector>

#include "linalg/types.hpp"

namespace induce {

class Likelihood {
 public:
  virtual ~Likelihood() = default;

  virtual std::string_view name() const = 0;
  // Latent functions per row. If there are C, means and variances are row-major, C numbers per row.
  virtual Index latent_functions() const { return 1; }
  // Whether the site rule can approximate this likelihood.
  virtual bool supports(std::string_view site_rule) const = 0;

  // For `count` rows with labels y (+1 or -1): E[l], E[l'] and E[l''] <= 0. `value` may alias `m`. Stateless and
  // thread-safe.
  virtual void expectations(const double* y, const double* m, const double* S2, Index count, double* value,
                            double* slope, double* curvature) const = 0;
  virtual void expected_log(const double* y, const double* m, const double* S2, Index count,
                            double* value) const = 0;

  virtual double probability(double m, double S2) const = 0;  // P(y = +1)
  virtual double latent_of(double probability) const = 0;     // f such that p(y = +1 | f) = probability
};

// "auto" is logistic. Throws a usage Error that lists the known names.
const Likelihood& likelihood(std::string_view name);
const std::vector<const Likelihood*>& all_likelihoods();

}  // namespace induce
