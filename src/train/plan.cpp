#include "train/plan.hpp"

#include <cmath>
#include <limits>

#include <induce/metrics.hpp>

#include "train/kmeans.hpp"

namespace induce {

Outcome train_from_kmeans(const FitContext& context,
                          const std::function<Outcome(const RowMatrix& X, const Prior& start)>& train) {
  const TrainingPlan& plan = context.plan;
  const RowMatrix X = plan.maps[0].apply(plan.rows.table, context.workers);
  Prior start = plan.kernels[0].start;
  start.Z = kmeans(X, plan.inducing, context.workers, {.seed = plan.seed});
  if (context.keeper.resuming())
    context.monitor.resume_stage(plan.maps[0]);
  else
    context.monitor.begin_stage(static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(start.Z.rows()),
                                plan.maps[0]);
  Outcome outcome = train(X, start);
  outcome.exhausted = start.Z.rows() < plan.inducing;
  return outcome;
}

void report_leave_one_out(const Vector& probability, const Targets& targets, Report& report) {
  const std::size_t n = static_cast<std::size_t>(targets.n());
  std::vector<int> y(n);
  for (std::size_t i = 0; i < n; ++i) y[i] = targets.y[static_cast<Index>(i)] > 0;
  report.leave_one_out = evaluate({probability.data(), n}, y, {targets.weight.data(), n});
  // Without signal, a row is predicted by the base rate of the others, which is lower for the class of the row: the AUC
  // would be near 0 and mean nothing.
  double second = 0;
  for (std::size_t i = 0; i < n; ++i) second += y[i] * targets.weight[static_cast<Index>(i)];
  const double rate = second / targets.weight.sum();
  const double of_base_rate = -rate * std::log(rate) - (1 - rate) * std::log1p(-rate);
  constexpr std::size_t few = 30;  // rows, of which nothing can be said
  if (report.leave_one_out->nll < of_base_rate) return;
  report.leave_one_out->auc = std::numeric_limits<double>::quiet_NaN();
  if (n < few) return;
  report.warnings.push_back(
      "the features do not predict the label: left out, rows are predicted no better than by the "
      "base rate");
}

}  // namespace induce
