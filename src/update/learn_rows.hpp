// A few damped rounds of Newton sites over new rows, with the posterior of the old ones in the place of the prior (core/onto.hpp).
// What is maximised, and what decides whether a round is accepted, is the true bound of the new rows,
//   sum_i weight_i E_q log p(y_i | f_i) - sum_c KL(q_c || q_c0).
// A round costs one pass over the new rows; the old ones are not needed.
#pragma once

#include <vector>

#include "core/fitted.hpp"
#include "likelihood/likelihood.hpp"
#include "machine/workers.hpp"
#include "site/targets.hpp"

namespace induce::detail {

struct LearnedRows {
  std::vector<Posterior> q;
  double fitted_log = 0;  // sum_i weight_i log p(y_i) under the predictive distribution of q
  int rounds = 0;
};

// X: rows in the model's units. A data Error if the numbers of the model do not allow it.
LearnedRows learn_rows(const Fitted& old, const Likelihood& likelihood, const RowMatrix& X,
                       const Targets& targets, Workers& workers);

// sum_i weight_i log p(y_i) with probabilities p of the likelihood (its probabilities() for each row).
double log_of_labels(const Vector& p, const Targets& targets, Index width);

}  // namespace induce::detail
