// L-BFGS-B: quasi-Newton with bounds on the variables (Byrd, Lu, Nocedal and Zhu 1995; Morales and Nocedal 2011). Each
// iteration minimises a quadratic model of f = -objective in the box (quadratic_step.hpp), whose second derivatives come from the
// last steps (curvature.hpp), and searches along the line to there (line_search.hpp).
#pragma once

#include <functional>

#include "optim/objective.hpp"

namespace induce::detail {

struct LbfgsbSettings {
  int max_evaluations = 1000;
  int max_iterations = 1000;
  int memory = 10;                   // correction pairs
  double relative_reduction = 1e-9;  // stop when (f_k - f_{k+1}) / max(|f_k|, |f_{k+1}|, 1) is below this
  double projected_gradient = 1e-6;  // stop when the largest entry of the projected gradient is below this
  // Called after each iteration with the point it reached; return false to stop.
  std::function<bool(const Vector& x, double value)> on_iteration;
  std::function<bool()> must_stop;  // polled before each evaluation except the first
};

// Maximises within [lower, upper] (infinite entries: no bound).
Optimum maximize_lbfgsb(const Objective& objective, const Vector& start, const Vector& lower,
                        const Vector& upper, const LbfgsbSettings& settings = {});

}  // namespace induce::detail
