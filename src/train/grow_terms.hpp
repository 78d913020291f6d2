// Which terms a kernel has (term/terms.hpp) and how many knots: more of both as rows arrive.
//
// A model has at every row the slope g_i = E l'(f_i) and the curvature w_i = E -l''(f_i) of its likelihood. Sorted into the
// cells of a column, or of two, they have a = sum g_i and b = sum w_i. If each cell had a value of its own with a prior of
// variance 1/4, the bound would gain to second order
//   gain = sum a^2 / (2 (b + 4)) - sum log(1 + b/4) / 2                                                   (nats)
// which takes O(n) additions. One rule answers every question: the number of cells with the largest gain, if that is
// positive. Does a column get a main effect, and with how many knots? Are those that it has too few? Which pairs of
// columns get a term, with how many knots a side? What more values gain must pay for their work (term_worth.hpp); a new term must
// gain log k nats beyond that if it is one of k that were tried, and a pair beyond what finer mains of its columns would. The
// largest gains come first. Values have a limit, for their memory (most_term_values).
#pragma once

#include "core/fitted.hpp"
#include "likelihood/likelihood.hpp"
#include "machine/workers.hpp"
#include "site/targets.hpp"
#include "train/term_list.hpp"
#include "train/term_worth.hpp"

namespace induce::detail {

// g and w of rows at a model, n x C.
struct Slopes {
  Vector g, w;
  Index functions = 1;
};
Slopes slopes_at_base_rate(const Targets& targets, const Likelihood& likelihood);
Slopes slopes_at(const Fitted& model, const RowMatrix& X, const Targets& targets,
                 const Likelihood& likelihood, Workers& workers);

// X: rows in the units of the map, in random order; the slopes are those of the first of them.
void grow_mains(TermList& list, const FeatureMap& map, const RowMatrix& X, const Vector& weight,
                const Slopes& slopes, const TermWorth& worth, Workers& workers);
void grow_mains_and_pairs(TermList& list, const FeatureMap& map, const RowMatrix& X, const Vector& weight,
                          const Slopes& slopes, const TermWorth& worth, Workers& workers);

// The fewest knots of a column in a term, unless it has fewer values.
constexpr Index fewest_knots_of_main = 16, fewest_knots_of_pair = 8;
// The most values that the terms of a fit of this many rows have.
Index most_term_values(Index rows, Index functions);

}  // namespace induce::detail
