// Fills in the parts of a report that training does not know.
#pragma once

#include "fit/fit_rows.hpp"

namespace induce::detail {

void complete_report(const TrainingPlan& plan, const FitRows& data, const Monitor& monitor, Workers& workers,
                     Outcome& outcome);

}  // namespace induce::detail
