// Small random problems, a different one for each seed.
#pragma once

#include "support/naive.hpp"

namespace induce::testing {

// Per-feature length-scales, some noise, a mean, random labels.
naive::Problem random_problem(unsigned seed, Index n, Index m, Index d);

Matrix random_matrix(unsigned seed, Index rows, Index cols);

}  // namespace induce::testing
