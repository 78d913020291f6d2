// The kernels that a fit may use, each with its starting point.
//
// "auto" stands for six: the squared exponential, Matern 5/2 and Matern 3/2, each alone and with an additive part.
// Which of them is used is found during the fit (train/decide.hpp). The additive part has only the
// columns with an effect of their own (train/marginal_effects.hpp) and starts from the length-scales found there. With more than
// two classes there are three more, with a linear part: small tables are often no more than that.
//
// Columns, length-scales and the means that a fit starts from depend on labels. So they are found in the rows that a
// candidate may use, never in those that are held out to judge it.
#pragma once

#include <vector>

#include "machine/workers.hpp"
#include "train/plan.hpp"

namespace induce::detail {

// The axes of terms, into plan.setting.
void add_axes(TrainingPlan& plan, TableView table, const Draw& rows, Workers& workers);

// One plan for each of TrainingPlan::kernels; `table` has the features of these rows. A kernel with an additive part is
// the one without it if no column has an effect.
std::vector<KernelPlan> plan_kernels(const TrainingPlan& plan, TableView table, const Draw& rows,
                                     Workers& workers);

// The weighted share of the rows in each class.
std::vector<double> base_rates(const TrainingPlan& plan, const Draw& rows);

}  // namespace induce::detail
