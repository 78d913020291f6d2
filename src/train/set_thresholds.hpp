// Sets of classes that are right with a given probability, calibrated on rows that were predicted without their labels.
//
// The set of a row for a threshold t has each class whose more probable classes have a probability of at most t together. So the
// most probable class is always in it. e_i is what the classes more probable than that of row i have together: the row is
// right if e_i <= t. With weights w_i of mean w, W in all, t(alpha) is the smallest e_i at which the rows with e <= e_i have
// (1 - alpha) (W + w). The next row, drawn as these were, is then right with a probability of at least 1 - alpha (split
// conformal prediction). If there are too few rows for it, t = 1 and the set has all classes.
#pragma once

#include <span>
#include <vector>

#include "site/targets.hpp"

namespace induce::detail {

// t(alpha) for alpha = 0, 1/200, 2/200, ..., 1/2; the first one is the largest e_i.
std::vector<double> set_thresholds(std::span<const double> probability, const Targets& targets,
                                   Index functions);

}  // namespace induce::detail
