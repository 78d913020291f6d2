// All that a prediction needs: the prior's frame and q in its coordinates.
#pragma once

#include "core/frame.hpp"
#include "core/posterior.hpp"

namespace induce {

struct Fitted {
  Frame frame;
  Posterior q;
};

// From stored numbers, without factorising anything again: predictions are the same to the bit.
Fitted restore_fitted(Frame frame, Vector a, Matrix D);

}  // namespace induce
