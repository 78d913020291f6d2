// Where the quadratic model of f around x,  q(z) = g'(z - x) + (z - x)'B(z - x)/2,  has its minimum in the box, nearly:
// its first minimum along the projected gradient (the generalized Cauchy point), and from there the minimum over the
// variables that are not at a bound then (Byrd, Lu, Nocedal and Zhu 1995). Nothing if B has lost its definiteness.
#pragma once

#include <optional>

#include "optim/box.hpp"
#include "optim/curvature.hpp"

namespace induce::detail {

struct CauchyPoint {
  Vector x;
  Vector c;  // W'(x_c - x)
};
CauchyPoint cauchy_point(const Curvature& B, const Box& box, const Vector& x, const Vector& g);

std::optional<Vector> minimize_quadratic(const Curvature& B, const Box& box, const Vector& x,
                                         const Vector& g);

}  // namespace induce::detail
