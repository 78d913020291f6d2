// More inducing inputs, where the model is worst explained.
//
// What a row still costs for want of inducing inputs is w_i k~_ii / 2, with the residual kernel
//   k~(x, x') = k(x, x') - v(x)'v(x').
// A new input at row i takes k~(x, x_i)^2 / k~_ii off every other row's residual, so inputs are added one by
// one, each drawn with probability proportional to w_i k~_ii: the randomly pivoted Cholesky factorisation
// (Chen, Epperly, Tropp, Webber, 2022) of W^1/2 K~ W^1/2. Drawing, unlike taking the largest, is not led
// astray by outliers, which always have the largest residual and explain nobody else.
#pragma once

#include <cstdint>

#include "core/frame.hpp"

namespace induce {

// Z of the frame with up to `count` of the rows X (in the model's units) below it; fewer if no row has a
// residual left. w >= 0 has an entry for each row of X.
Matrix grow_inputs(const Frame& frame, const RowMatrix& X, const Vector& w, Index count, std::uint64_t seed);

}  // namespace induce
