// Adds inducing inputs where the residual is largest.
//
// The penalty of a row for missing inducing inputs is w_i k~_ii / 2, with the residual kernel
//   k~(x, x') = k(x, x') - v(x)'v(x').
// A new input at row i reduces the residual at x by k~(x, x_i)^2 / k~_ii, so inputs are added one by one, each
// drawn with probability proportional to w_i k~_ii: the randomly pivoted Cholesky factorisation
// (Chen, Epperly, Tropp, Webber, 2022) of W^1/2 K~ W^1/2. Unlike picking the largest residual, sampling is
// robust to outliers, which always have the largest residual and explain no other row.
#pragma once

#include <cstdint>

#include "core/frame.hpp"

namespace induce::detail {

// The frame's Z with up to `count` rows of X (in the model's units) appended; fewer if no row has a residual
// left. w >= 0 has one entry per row of X.
Matrix grow_inputs(const Frame& frame, const RowMatrix& X, const Vector& w, Index count, std::uint64_t seed);

}  // namespace induce::detail
