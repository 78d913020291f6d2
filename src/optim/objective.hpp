// What an optimizer needs of a problem: the value of a vector and its gradient. It knows no model.
// Values are maximised; -infinity or NaN means "not here" and makes the step shorter.
#pragma once

#include <functional>
#include <string>

#include "linalg/types.hpp"

namespace induce {

using Objective = std::function<double(const Vector& x, Vector& gradient)>;

struct Optimum {
  Vector x;          // the best point seen
  double value = 0;  // there
  int evaluations = 0;
  int iterations = 0;
  bool converged = false;  // by the optimizer's own tolerance; false: budget or stop
  bool stuck = false;      // the line search finds nothing better: as far as the objective's rounding allows
  std::string message;
};

}  // namespace induce
