// The kernels that a fit may use, each with its starting point.
//
// "auto" stands for six: the squared exponential, Matern 5/2 and Matern 3/2, each alone and with terms. Which of them is used
// is found during the fit (train/decide.hpp), and so are the terms (train/grow_terms.hpp).
//
// The means that a fit starts from depend on labels. So they are found in the rows that a candidate may use, never in those
// that are held out to judge it.
#pragma once

#include <vector>

#include "train/plan.hpp"

namespace induce::detail {

// One plan for each of TrainingPlan::kernels, for a candidate that may use these rows.
std::vector<KernelPlan> plan_kernels(const TrainingPlan& plan, const Draw& rows);

// The weighted share of the rows in each class.
std::vector<double> base_rates(const TrainingPlan& plan, const Draw& rows);

}  // namespace induce::detail
