// An optimizer's view of a problem: a value and a gradient at a vector, independent of any model.
// Values are maximised; -infinity or NaN rejects the point and makes the step shorter.
#pragma once

#include <functional>
#include <string>

#include "linalg/types.hpp"

namespace induce::detail {

using Objective = std::function<double(const Vector& x, Vector& gradient)>;

struct Optimum {
  Vector x;          // the best point seen
  double value = 0;  // at x
  int evaluations = 0;
  int iterations = 0;
  bool converged = false;  // by the optimizer's own tolerance; false: out of budget or stopped
  bool stuck = false;      // the line search finds nothing better: at the rounding limit of the objective
  std::string message;
};

}  // namespace induce::detail
