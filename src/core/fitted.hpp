// Everything a prediction needs: the frame of the prior, and q in its coordinates.
#pragma once

#include <vector>

#include "core/frame.hpp"
#include "core/posterior.hpp"

namespace induce::detail {

struct Fitted {
  Frame frame;
  std::vector<Posterior> q;  // one for each latent function
};

// q from stored numbers, without refactorising: predictions are bitwise the same.
Posterior restore_posterior(const Frame& frame, Vector a, Matrix D);

}  // namespace induce::detail
