// The base rate: the class frequencies of the training rows, as a prediction for every row.
#pragma once

#include <span>

namespace induce::detail {

// Its NLL. Both arguments are rows of each class, or sums of their weights: `training` says what is predicted, `tested` for
// which rows. They may be the same.
double base_rate_nll(std::span<const double> training, std::span<const double> tested);

}  // namespace induce::detail
