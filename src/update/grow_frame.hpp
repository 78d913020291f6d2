// More inducing inputs for a fitted model, with q carried over (Bui, Nguyen, Turner, 2017): what the model knows is a factor of
// the old u alone. With Z' = [Z; Z+], the Cholesky factor of the larger K_mm is that of the smaller one with rows below it,
//   L' = [ L 0; A L+ ],     A = K_+m L^-T,     L+ L+' = K_++ - A A',
// so in whitened coordinates u' = L' [e; e+] the old e keep their meaning and e+ ~ N(0, I) is independent of them:
//   a' = [a; 0],     D' = [D 0; 0 0],
// and no prediction changes before new rows are learned.
#pragma once

#include "core/fitted.hpp"

namespace induce::detail {

// Adds the rows of Z_more (in the model's units). Returns how many: 0 and nothing changes if they are numerically dependent.
Index grow_frame(Fitted& fitted, const Matrix& Z_more);

}  // namespace induce::detail
