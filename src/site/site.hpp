// A site stands in for log p(y_i | f_i):  s_i(f) = c_i + t_i f - w_i f^2 / 2.
//
// Every method of the library uses this quadratic with a rule that chooses its coefficients from the
// marginal N(m_i, S2_i) of f_i under the current q. A rule takes one small file and one line in sites.cpp;
// the tests iterate over that table.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "likelihood/likelihood.hpp"
#include "linalg/types.hpp"

namespace induce::detail {

// With C latent functions per row, s_i(f) = c_i + sum_c (t_ic f_c - w_ic f_c^2 / 2).
struct Sites {
  Vector w, t;  // n x C, row-major; w >= 0
  Vector c;     // n

  explicit Sites(Index n = 0, Index functions = 1)
      : w(Vector::Zero(n * functions)), t(Vector::Zero(n * functions)), c(Vector::Zero(n)) {}
};

class SiteRule {
 public:
  virtual ~SiteRule() = default;
  // y is +1 or -1, or the index of a class; reads and writes `count` rows. Stateless and thread-safe.
  virtual void refresh(const double* y, const double* m, const double* S2, Index count, double* w, double* t,
                       double* c) const = 0;
};

// "jj", "taylor", "newton", for a likelihood that supports the rule; the likelihood must outlive it.
std::unique_ptr<const SiteRule> make_site_rule(std::string_view name, const Likelihood& likelihood);
const std::vector<std::string>& site_rule_names();

}  // namespace induce::detail
