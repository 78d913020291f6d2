// A smaller model for the variances of one whose triangles do not fit into a page.
//
// Let the inducing inputs be in the order of a pivoted Cholesky factorisation of K_mm: each next one is that of which those
// before say least. Then v of the first inputs alone is the first part of v, and the marginal of q over that part (and over the
// terms) is the first part of a and the leading block of D. What q knows of the other inputs is left out, as if they were at their
// prior given the first ones. The mean needs few numbers, so it keeps all inputs.
#pragma once

#include "page/portable.hpp"

namespace induce::detail {

// The inducing inputs in that order.
std::vector<Index> pivoted_order(const Frame& frame);

// Means by all inducing inputs, in this order; variances by the first `count` of them.
PortableModel stand_in(const Fitted& fitted, const std::vector<Index>& order, Index count);

}  // namespace induce::detail
