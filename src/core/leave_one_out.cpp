#include "core/leave_one_out.hpp"

#include <algorithm>

namespace induce::detail {

LeaveOneOut leave_one_out(Pass& pass, const Frame& frame, const Sites& sites, const Vector& copies,
                          const Vector& m, const Vector& S2) {
  const Index functions = frame.functions();
  Vector zero, residual;  // k~_ii is the marginal variance if u is known exactly
  pass.marginals(frame.of_one_function(), certain_posterior(frame), zero, residual);
  LeaveOneOut out{Vector(m.size()), Vector(m.size())};
  for (Index i = 0; i < pass.n(); ++i) {
    const double part = 1 / copies[i];
    for (Index c = 0; c < functions; ++c) {
      const Index at = i * functions + c;
      const double mean = frame.mean(c), rest = frame.scale(c) * frame.scale(c) * residual[i];
      const double u = std::max(S2[at] - rest, 0.0), w = part * sites.w[at];
      const double d = std::max(1 - w * u, 1e-12);  // rounding must not turn it negative
      const double t = part * sites.t[at] - w * mean;
      out.m[at] = mean + (m[at] - mean - u * t) / d;
      out.S2[at] = rest + u / d;
    }
  }
  return out;
}

std::optional<Vector> means_without_each(Pass& pass, const Frame& frame, const Sites& sites,
                                         const Vector& slopes, const Vector& copies, const Vector& m) {
  Sites moving(m.size());
  moving.w = slopes;
  moving.t = sites.t + (slopes - sites.w).cwiseProduct(m);
  Collapsed collapsed;
  collapse(frame, pass.first_half(frame, moving), collapsed);
  if (!collapsed.ok) return std::nullopt;
  Vector same, S2;
  pass.marginals(frame, collapsed.q, same, S2);
  return leave_one_out(pass, frame, moving, copies, m, S2).m;
}

}  // namespace induce::detail
