// Everything a prediction needs: the frame of the prior, and q in its coordinates.
#pragma once

#include "core/frame.hpp"
#include "core/posterior.hpp"

namespace induce {

struct Fitted {
  Frame frame;
  Posterior q;
};

// From stored numbers, without refactorising: predictions are bitwise the same.
Fitted restore_fitted(Frame frame, Vector a, Matrix D);

}  // namespace induce
