// For methods whose bound, at fixed sites, does not know the thresholds of the likelihood.
#pragma once

#include "train/site_rows.hpp"

namespace induce::detail {

// The prior of `frame` with the thresholds that maximise sum_i E log p(y_i | f_i) under q, plus the prior of their gaps, within so many
// evaluations. As it is if there are no thresholds.
Prior with_best_thresholds(SiteRows& rows, const Frame& frame, const Posterior& q, int most_evaluations);

}  // namespace induce::detail
