// Work that touches each row once and needs only its marginal: cheap beside a pass, but worth the threads.
#pragma once

#include "linalg/types.hpp"
#include "likelihood/likelihood.hpp"
#include "rows/workers.hpp"
#include "site/site.hpp"
#include "site/targets.hpp"

namespace induce {

// Puts every site where the rule wants it for marginals N(m, S2).
void refresh_sites(const SiteRule& rule, const Targets& targets, const Vector& m, const Vector& S2,
                   Workers& workers, Sites& sites);

// sum_i weight_i E log p(y_i | f_i), f_i ~ N(m_i, S2_i).
double expected_log_likelihood(const Likelihood& likelihood, const Targets& targets, const Vector& m,
                               const Vector& S2, Workers& workers);

// P(y = +1) of each row.
Vector predictive_probabilities(const Likelihood& likelihood, const Vector& m, const Vector& S2,
                                Workers& workers);

// sum_i E s_i(f_i).
double expected_sites(const Sites& sites, const Vector& m, const Vector& S2, Workers& workers);

}  // namespace induce
