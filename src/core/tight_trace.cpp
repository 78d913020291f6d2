#include "core/tight_trace.hpp"

#include <algorithm>
#include <cmath>

#include "rows/reducer.hpp"

namespace induce {
namespace {

double shrink(double w, double weight, double residual) {  // v_i
  return weight > 0 ? 1 / (1 + w / weight * residual) : 1;
}

}  // namespace

TightTrace tight_trace(Pass& pass, const Frame& frame, const Sites& sites, const Vector& weight) {
  TightTrace trace;
  Vector unused;
  pass.marginals(frame, certain_posterior(frame), unused, trace.residual);
  trace.gain = sum_over_rows(pass.n(), pass.workers(), [&](Index first, Index count) {
    double gain = 0;
    for (Index i = first; i < first + count; ++i) {
      const double w = sites.w[i], k = trace.residual[i];
      gain += (w * k + weight[i] * std::log(shrink(w, weight[i], k))) / 2;
    }
    return gain;
  });
  return trace;
}

Gradient tight_trace_gradient(Pass& pass, const Frame& frame, const Sites& sites, const Vector& weight) {
  // The pass requires decreasing functions of the variance: use -G.
  const auto response = [&](Index first, Index count, const double* /*m*/, const double* residual, double* g,
                            double* s) {
    std::fill_n(g, count, 0.0);
    for (Index i = 0; i < count; ++i) {
      const double w = sites.w[first + i];
      s[i] = -w / 2 * (1 - shrink(w, weight[first + i], residual[i]));
    }
  };
  Vector unused, residual;
  RowAdjoint& rows = pass.second_half(frame, certain_posterior(frame), response, true, unused, residual);
  Gradient minus = gradient(frame, rows, unwhiten_adjoint(frame, rows.VsV()));
  minus *= -1;
  return minus;
}

Vector tight_variances(const TightTrace& trace, const Sites& sites, const Vector& weight, const Vector& S2) {
  Vector variance = S2;
  for (Index i = 0; i < S2.size(); ++i) {
    const double k = trace.residual[i];
    variance[i] = std::max(S2[i] - k + k * shrink(sites.w[i], weight[i], k), 0.0);
  }
  return variance;
}

}  // namespace induce
