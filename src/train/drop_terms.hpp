// Which terms do not pay for the work of their values.
//
// At fixed sites, e ~ N(0, I) has the posterior N(a, C). Without term p, e_p = 0, the bound F is lower by the ratio of
// densities there (Savage and Dickey):
//   gain_p = log N(0; 0, I) - log N(0; a_p, C_pp) = (a_p'C_pp^-1 a_p + log |C_pp|) / 2                     (nats)
// summed over latent functions. Given e_p = 0, the others have
//   a_r - C_rp C_pp^-1 a_p   and   C_rs - C_rp C_pp^-1 C_ps,
// so terms that can replace each other are not both dropped.
#pragma once

#include "core/fitted.hpp"
#include "train/term_list.hpp"
#include "train/term_worth.hpp"

namespace induce::detail {

// Takes terms that were found, not named, out of the list, one by one, as long as one gains less than its values must. The
// kernel of the model has the terms of the list.
void drop_terms(TermList& list, const Fitted& model, const TermWorth& worth);

}  // namespace induce::detail
