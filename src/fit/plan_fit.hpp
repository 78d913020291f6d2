// Everything that is decided before training: rows, units, kernel, starting point and size limits.
#pragma once

#include <induce/options.hpp>

#include "fit/fit_rows.hpp"

namespace induce::detail {

// Throws an Error if the method does not support the likelihood, if memory will not suffice, or if features that are not
// standardised have an extreme scale.
TrainingPlan plan_fit(const FitRows& data, const Options& options, Workers& workers);

}  // namespace induce::detail
