// Rows where doubt is: a weighted sample of the rows of a stage, from which theta and Z are learned as well as from all of them.
//
// On a table whose classes are nearly separable, most rows say nothing any more: with g_i = E l'(f_i) and w_i = E -l''(f_i) under
// the model of the stage before, both are nearly 0. Let row i be kept with probability p_i, and count for 1/p_i rows. Every sum over
// rows that the bound and its gradient are made of (Q, b, E log p, the adjoint) then has the right expectation (Horvitz and
// Thompson). log det (I + QK) is concave in Q, so its expectation is too low, but only to second order in the noise of Q.
//
// The row's part of the gradient is g_i u_i, with u_i from the derivatives of its marginals. What sampling adds to the variance is
//   sum (1/p_i - 1) g_i^2 |u_i|^2 <= sum |g_i|/c |u_i|^2,       p_i = min(1, c |g_i|).
// That of the labels themselves, the Fisher information, is sum w_i |u_i|^2, and where g_i is small, w_i is nearly |g_i| (logistic: g = 1 - p, w = p (1 - p)).
// So the sample makes parameters noisier by at most 1/c of the noise that the rows have; c is policy::kept_per_doubt effort. g_i will change during the stage, though,
// and what the sample hardly has cannot speak up: no p_i is below c times `least_doubt`, which limits the weights to its inverse.
//
// Only stages before the last one are thinned: that has all rows, so q, the bound and the end of the fit do.
// A row is drawn by a hash of its place in the store, so a row that is kept once is kept by any later stage where it has the same
// doubt, and the sample depends neither on threads nor on the order of the table.
#pragma once

#include <optional>

#include "core/fitted.hpp"
#include "likelihood/likelihood.hpp"
#include "machine/workers.hpp"
#include "site/targets.hpp"

namespace induce::detail {

struct DoubtfulRows {
  RowMatrix X;
  Targets targets;
  // What the bound over all rows has more at the model that the rows were judged by: E log p of all rows less that of these.
  double rest = 0;
};

// `places`: of the rows of X in the store. None if the sample would have most of the rows.
std::optional<DoubtfulRows> doubtful_rows(const Fitted& model, const RowMatrix& X, const Targets& targets,
                                          std::span<const Index> places, const Likelihood& unparametrized,
                                          double effort, std::uint64_t seed, Workers& workers);

}  // namespace induce::detail
