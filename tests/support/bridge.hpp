// Conversions between the types of the engine and its slow twin.
#pragma once

#include <memory>

#include "core/gradient.hpp"
#include "core/posterior.hpp"
#include "support/naive.hpp"

namespace induce::testing {

// The kernel and the prior of a problem; there is noise if noise_std is not 0.
std::shared_ptr<const Kernel> kernel_of(const naive::Problem& problem);
Prior prior_of(const naive::Problem& problem);

naive::Sites twin_of(const Sites& sites);

naive::Posterior twin_of(const Frame& frame, const Posterior& q);

// All variables of a bound as one vector: log sf, log l (one or d), log sn if there is noise, mean, Z feature by
// feature.
Vector coordinates(const naive::Problem& problem);

// The problem with these coordinates instead of its own.
naive::Problem moved_to(naive::Problem problem, const Vector& x);

// The engine's gradient in the coordinates of the problem.
Vector coordinates(const naive::Problem& problem, const Gradient& g);

}  // namespace induce::testing
