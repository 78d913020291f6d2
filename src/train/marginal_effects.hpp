// A quick look at each feature alone: does the label depend on it, and on what scale?
//
// The rows are put into bins of equal weight by the value of the feature. With rate_b the fraction of the second
// class in bin b, p the base rate and n_b the weight of the bin, a GP over the bins' means x_b explains
//   r_b = rate_b - p ~ N(0, s^2 k(x_b, x_c; l) + [b = c] p (1 - p)/n_b),      k the squared exponential.
// The gain of a feature is the largest log evidence over a grid of s and l, minus that of s = 0. A feature without an
// effect of its own has a gain near zero; it may still matter together with others. The grid goes down to short l,
// so that waves are seen that a fit from longer length-scales would miss. With more than two classes, each is compared
// with all others: gains add up, and the length-scale is that of the largest gain. For a group of features, the levels of a
// category, the bins are the levels, which are all at the distance sqrt(2).
#pragma once

#include <vector>

#include "linalg/types.hpp"
#include "machine/workers.hpp"
#include "site/targets.hpp"

namespace induce::detail {

struct MarginalEffect {
  double gain = 0;         // nats
  double lengthscale = 1;  // where the evidence is largest, in the units of X
};

// One per group of features; rows of X and targets correspond. `group_of`: the group of each column of X; empty: each is one.
// `functions`: latent functions; 1: two classes.
std::vector<MarginalEffect> marginal_effects(const RowMatrix& X, const std::vector<Index>& group_of,
                                             const Targets& targets, Index functions, Workers& workers);

// The groups worth a function of their own: those with a gain, the largest first until their cost exceeds `budget`
// (a column of many distinct values costs 1, others less). Increasing order.
std::vector<Index> columns_with_effects(const std::vector<MarginalEffect>& effects, const RowMatrix& X,
                                        const std::vector<Index>& group_of, double budget);

}  // namespace induce::detail
