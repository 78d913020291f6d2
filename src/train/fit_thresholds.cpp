#include "train/fit_thresholds.hpp"

#include <cmath>

#include "likelihood/thresholds.hpp"
#include "optim/lbfgsb.hpp"

namespace induce::detail {

Prior with_best_thresholds(SiteRows& rows, const Frame& frame, const Posterior& q, int most_evaluations) {
  Prior best = frame.prior;
  const Vector start = pack_thresholds(best.thresholds);
  if (start.size() == 0) return best;
  Vector lower = Vector::Constant(start.size(), std::log(smallest_gap)),
         upper = Vector::Constant(start.size(), std::log(largest_gap));
  lower[0] = -INFINITY;
  upper[0] = INFINITY;
  double highest = -INFINITY;
  LbfgsbSettings settings;
  settings.max_evaluations = most_evaluations;
  const auto objective = [&](const Vector& x, Vector& gradient) {
    Prior prior = frame.prior;
    prior.thresholds = unpack_thresholds(x);
    Vector slopes;
    double value = rows.expected_log(make_frame(frame.kernel, prior), q, slopes);
    gradient = packed_slopes(prior.thresholds, slopes);
    value += log_prior_of_gaps(prior.thresholds, gradient);
    if (value > highest) {
      highest = value;
      best = prior;
    }
    return value;
  };
  maximize_lbfgsb(objective, start, lower, upper, settings);
  return best;
}

}  // namespace induce::detail
