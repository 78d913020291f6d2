// Where the knots of terms are, and which pairs of columns get a term (term/terms.hpp).
//
// Knots grow with the rows, as long as the algebra of all values stays below a pass. They do not look at labels.
//
// Pairs are screened after the main effects: at the marginals of a short fit of these, with the slope g_i = E l'(f_i) and
// the curvature w_i = E -l''(f_i) of each row, the cells of the grid of two columns have a = sum g_i and b = sum w_i. Under
// a prior of variance 1/4 for each cell, the bound would gain to second order
//   gain = sum a^2 / (2 (b + 4)) - sum log(1 + b/4) / 2                                                   (nats)
// which is O(n) additions for each pair. Those that gain are taken, best first.
#pragma once

#include <utility>
#include <vector>

#include "machine/workers.hpp"
#include "train/plan.hpp"

namespace induce::detail {

// Axes of all columns, from rows in the model's units of this map. `rows`: of the whole table.
void find_axes(const FeatureMap& map, const RowMatrix& X, const Vector& weight, Index rows, Index functions,
               KernelSetting& setting);

// Increasing; `plan.setting` has the axes.
std::vector<std::pair<Index, Index>> find_pairs(const TrainingPlan& plan, const RowMatrix& X,
                                                const Targets& targets, Workers& workers);

}  // namespace induce::detail
