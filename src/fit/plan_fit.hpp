// Everything that is decided before training: which rows, which units, which kernel, where it starts, how large it
// may get.
#pragma once

#include <span>

#include <induce/options.hpp>
#include <induce/table.hpp>

#include "rows/workers.hpp"
#include "train/plan.hpp"

namespace induce {

// Throws an Error if the method does not take the likelihood, the memory will not be enough, or features that are
// not standardised have an impossible size.
TrainingPlan plan_fit(TableView table, std::span<const int> labels, std::span<const double> weights,
                      const Options& options, Workers& workers);

}  // namespace induce
