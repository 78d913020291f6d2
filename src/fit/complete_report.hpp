// The report of a fit: what training does not know of itself.
#pragma once

#include <induce/model.hpp>
#include <induce/options.hpp>

#include "train/plan.hpp"

namespace induce {

void complete_report(const TrainingPlan& plan, const Options& options, const Names& names,
                     const Monitor& monitor, Outcome& outcome);

}  // namespace induce
