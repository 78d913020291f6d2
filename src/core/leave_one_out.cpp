#include "core/leave_one_out.hpp"

#include <algorithm>

namespace induce {

LeaveOneOut leave_one_out(Pass& pass, const Frame& frame, const Sites& sites, const Vector& weight,
                          const Vector& m, const Vector& S2) {
  const double mean = frame.mean();
  Vector zero, residual;  // k~_ii is the marginal variance if u is known exactly
  pass.marginals(frame, certain_posterior(frame), zero, residual);
  LeaveOneOut out{Vector(pass.n()), Vector(pass.n())};
  for (Index i = 0; i < pass.n(); ++i) {
    const double u = std::max(S2[i] - residual[i], 0.0);
    const double part = weight[i] > 1 ? 1 / weight[i] : 1, w = part * sites.w[i];
    const double d = std::max(1 - w * u, 1e-12);  // rounding must not turn it negative
    const double t = part * sites.t[i] - w * mean;
    out.m[i] = mean + (m[i] - mean - u * t) / d;
    out.S2[i] = residual[i] + u / d;
  }
  return out;
}

}  // namespace induce
