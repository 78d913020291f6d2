// Along the path z(t) = P(x - t g), P the projection into the box, variable i moves by d_i = -g_i until it meets its bound at
// t_i. Between two such t the model is a parabola in t; with p = W'd, c = W'(z - x) it has the slopes
//   q' = g'd + theta d'(z - x) - p'M c,   q'' = theta d'd - p'M p
// and its minimum -q'/q'' ahead. If that is beyond the next t_b, variable b stays at its bound, z_b - x_b = h: d_b = 0 adds
// g_b w_b to p (w_b: row b of W), and q' and q'' change by as much as b contributed to them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "optim/quadratic_step.hpp"

namespace induce::detail {

CauchyPoint cauchy_point(const Curvature& B, const Box& box, const Vector& x, const Vector& g) {
  const double theta = B.theta();
  Vector d = -g;
  std::vector<std::pair<double, Index>> stops;  // t_i, i
  for (Index i = 0; i < x.size(); ++i) {
    const double bound = box.ahead(i, d[i]);
    if (d[i] == 0 || !std::isfinite(bound)) continue;
    if (x[i] == bound)
      d[i] = 0;
    else
      stops.emplace_back((bound - x[i]) / d[i], i);
  }
  std::sort(stops.begin(), stops.end());

  Vector p = B.Wt_times(d);
  CauchyPoint at{x, Vector::Zero(p.size())};
  double slope = -d.squaredNorm(), t = 0;
  const double least_bend = -std::numeric_limits<double>::epsilon() * theta * slope;
  double bend = std::max(-theta * slope - p.dot(B.M() * p), least_bend);
  std::size_t passed = 0;
  for (; passed < stops.size(); ++passed) {
    const auto [t_b, b] = stops[passed];
    const double dt = t_b - t;
    if (-slope < dt * bend) break;
    at.c += dt * p;
    at.x[b] = box.ahead(b, d[b]);
    const Vector w = B.row(b), Mw = B.M() * w;
    const double g_b = g[b], h = at.x[b] - x[b];
    slope += dt * bend + g_b * g_b + theta * g_b * h - g_b * Mw.dot(at.c);
    bend = std::max(bend - g_b * (theta * g_b + 2 * Mw.dot(p) + g_b * Mw.dot(w)), least_bend);
    p += g_b * w;
    d[b] = 0;
    t = t_b;
  }
  if (passed == stops.size() && d.isZero(0)) return at;
  const double dt = std::max(0.0, -slope / bend);
  at.c += dt * p;
  for (Index i = 0; i < x.size(); ++i)
    if (d[i] != 0) at.x[i] = x[i] + (t + dt) * d[i];
  at.x = box.nearest(at.x);
  return at;
}

}  // namespace induce::detail
