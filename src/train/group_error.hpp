// The standard error of a mean loss of rows that belong together. With m the mean, w_i the weights and G groups g,
//   error^2 = G/(G - 1) sum_g (sum_(i in g) w_i (l_i - m))^2 / (sum_i w_i)^2.
// Losses of one group may be as dependent as they like; if each row is a group, this is the error of Metrics.
#pragma once

#include <span>

#include "train/row_splits.hpp"
#include "train/staged_fit.hpp"

namespace induce::detail {

// For rows in the order of the folds, of which each has its class (or sign, for two classes) in `targets`. NaN for one group.
double error_of_groups(const StagedFit& fit, const Folds& folds, std::span<const double> probability,
                       const Targets& targets);

}  // namespace induce::detail
