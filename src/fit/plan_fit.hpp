// Everything that is decided before training: rows, units, kernel, starting point and size limits.
#pragma once

#include <span>

#include <induce/model.hpp>
#include <induce/options.hpp>
#include <induce/table.hpp>

#include "rows/workers.hpp"
#include "train/plan.hpp"

namespace induce {

// Labels are indices of names.classes. Throws an Error if the method does not support the likelihood, if memory will not suffice, or if features that
// are not standardised have an extreme scale.
TrainingPlan plan_fit(TableView table, std::span<const int> labels, const Names& names,
                      std::span<const double> weights, const Options& options, Workers& workers);

}  // namespace induce
