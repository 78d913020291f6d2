// Fills in the parts of a report that training does not know.
#pragma once

#include <induce/model.hpp>
#include <induce/options.hpp>

#include "train/plan.hpp"

namespace induce::detail {

void complete_report(const TrainingPlan& plan, const Options& options, const Names& names,
                     const Monitor& monitor, Outcome& outcome);

}  // namespace induce::detail
