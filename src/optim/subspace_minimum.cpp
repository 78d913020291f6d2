// From the Cauchy point z the model's minimum over the free variables F is at z_F - B_F^-1 r,
//   r = g_F + (B (z - x))_F = (g + theta (z - x) - W M c)_F,   c = W'(z - x).
// Where that is outside of the box it is projected into it (Morales and Nocedal 2011), unless the way there from x
// ascends: then it ends at the first bound.
#include <algorithm>
#include <vector>

#include "optim/quadratic_step.hpp"

namespace induce::detail {

std::optional<Vector> minimize_quadratic(const Curvature& B, const Box& box, const Vector& x,
                                         const Vector& g) {
  const auto [z, c] = cauchy_point(B, box, x, g);
  if (B.empty()) return z;
  Vector r = g + B.theta() * (z - x) - B.W_times(B.M() * c);
  std::vector<Index> active;
  for (Index i = 0; i < x.size(); ++i) {
    if (box.inside(z, i)) continue;
    active.push_back(i);
    r[i] = 0;
  }
  if (active.size() == static_cast<std::size_t>(x.size())) return z;
  const Curvature::Middle N = B.N(active);
  if (!N.ok()) return std::nullopt;
  Vector d = -(r + B.W_times(N * B.Wt_times(r)) / B.theta()) / B.theta();
  for (const Index i : active) d[i] = 0;

  const Vector target = z + d, projected = box.nearest(target);
  if (projected == target || (projected - x).dot(g) <= 0) return projected;
  double part = 1;
  for (Index i = 0; i < x.size(); ++i)
    if (d[i] != 0) part = std::min(part, (box.ahead(i, d[i]) - z[i]) / d[i]);
  return box.nearest(z + part * d);
}

}  // namespace induce::detail
