// Work per row that needs only the row's marginal: cheap compared to a pass, but worth parallelising.
#pragma once

#include "linalg/types.hpp"
#include "likelihood/likelihood.hpp"
#include "machine/workers.hpp"
#include "site/site.hpp"
#include "site/targets.hpp"

namespace induce::detail {

// Refreshes all sites by the rule, for marginals N(m, S2).
void refresh_sites(const SiteRule& rule, const Targets& targets, const Vector& m, const Vector& S2,
                   Workers& workers, Sites& sites);

// sum_i weight_i E log p(y_i | f_i), f_i ~ N(m_i, S2_i).
double expected_log_likelihood(const Likelihood& likelihood, const Targets& targets, const Vector& m,
                               const Vector& S2, Workers& workers);

// P(y = +1) of each row, or the probabilities of all classes, row-major.
Vector predictive_probabilities(const Likelihood& likelihood, const Vector& m, const Vector& S2,
                                Workers& workers);

// sum_i E s_i(f_i). `sites` has one row for each of the marginals'.
double expected_sites(const Sites& sites, const Vector& m, const Vector& S2, Workers& workers);

}  // namespace induce::detail
