#include "train/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <induce/metrics.hpp>

#include "train/kmeans.hpp"
#include "train/policy.hpp"
#include "train/set_thresholds.hpp"

namespace induce::detail {

Outcome train_from_kmeans(const FitContext& context,
                          const std::function<Outcome(const RowMatrix& X, const Prior& start)>& train) {
  const TrainingPlan& plan = context.plan;
  const RowMatrix X = plan.maps[0].apply(plan.rows.table(), context.workers);
  Prior start = plan.kernels[0].start;
  start.Z = kmeans(X, plan.inducing, context.workers, {.seed = plan.seed});
  if (context.saver.resuming())
    context.monitor.resume_stage(plan.maps[0]);
  else
    context.monitor.begin_stage(static_cast<std::size_t>(plan.n), static_cast<std::size_t>(start.Z.rows()),
                                plan.maps[0]);
  Outcome outcome = train(X, start);
  outcome.exhausted = start.Z.rows() < plan.inducing;
  return outcome;
}

std::vector<Index> TrainingPlan::class_rows() const {
  const Index classes = likelihood.classes();
  std::vector<Index> counts(static_cast<std::size_t>(classes), 0);
  for (Index i = 0; i < rows.n(); ++i) {
    const double y = targets.y[i];
    counts[static_cast<std::size_t>(classes == 2 ? y > 0 : y)] += rows.copies(i);
  }
  return counts;
}

Index TrainingPlan::rows_outside_largest_class() const {
  const std::vector<Index> counts = class_rows();
  return rows.user_rows() - *std::max_element(counts.begin(), counts.end());
}

Index rows_of_rare_class(const std::vector<Index>& class_rows) {
  const Index rarest = *std::min_element(class_rows.begin(), class_rows.end());
  const auto classes = static_cast<Index>(class_rows.size());
  if (classes == 2) return rarest;
  return std::max(rarest, std::accumulate(class_rows.begin(), class_rows.end(), Index{0}) / (10 * classes));
}

Vector to_user_rows(const Vector& values, const Draw& rows, Index width) {
  Vector out(static_cast<Index>(rows.place.size()) * width);
  for (std::size_t k = 0; k < rows.place.size(); ++k)
    out.segment(static_cast<Index>(k) * width, width) = values.segment(rows.place[k] * width, width);
  return out;
}

Targets targets_of_user(const TrainingPlan& plan, const Draw& rows) {
  return {to_user_rows(plan.targets.y(rows.distinct), rows, 1), rows.own_weight};
}

Metrics metrics_of(std::span<const double> probability, const Targets& targets,
                   const Likelihood& likelihood) {
  const Index classes = likelihood.classes();
  const std::size_t n = static_cast<std::size_t>(targets.n());
  std::vector<int> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double label = targets.y[static_cast<Index>(i)];
    y[i] = classes == 2 ? label > 0 : static_cast<int>(label);
  }
  const std::span<const double> weight(targets.weight.data(), n);
  return classes == 2 ? evaluate(probability, y, weight)
                      : evaluate(probability, y, static_cast<std::size_t>(classes), weight,
                                 likelihood.latent_functions() == 1);
}

std::vector<double> losses_of(std::span<const double> probability, const Targets& targets) {
  constexpr double smallest_probability = 1e-15;  // as in Metrics
  std::vector<double> losses;
  const auto rows = static_cast<std::size_t>(targets.n());
  const std::size_t classes = probability.size() / std::max<std::size_t>(rows, 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const double label = targets.y[static_cast<Index>(i)];
    double p = probability[i];  // of the second of two classes
    if (classes > 1)
      p = probability[i * classes + static_cast<std::size_t>(label)];
    else if (label < 0)
      p = 1 - p;
    losses.push_back(-std::log(std::max(p, smallest_probability)));
  }
  return losses;
}

void report_leave_one_out(const Vector& probability, const Targets& targets, const Likelihood& likelihood,
                          Report& report) {
  const std::span<const double> all(probability.data(), static_cast<std::size_t>(probability.size()));
  report.leave_one_out = metrics_of(all, targets, likelihood);
  if (!report.cross_validation)
    report.set_thresholds = set_thresholds(all, targets, likelihood.probabilities());
  const Index classes = likelihood.classes();
  // Without signal, a row is predicted by the base rate of the others, which is lower for the class of the row: the AUC
  // would be near 0 and mean nothing.
  Vector class_weight = Vector::Zero(classes);
  for (Index i = 0; i < targets.n(); ++i)
    class_weight[static_cast<Index>(classes == 2 ? targets.y[i] > 0 : targets.y[i])] += targets.weight[i];
  double base_nll = 0;
  for (const double weight : class_weight)
    if (weight > 0) base_nll -= weight / class_weight.sum() * std::log(weight / class_weight.sum());
  constexpr Index few = 30;  // rows, of which nothing can be said
  const double gain = base_nll - report.leave_one_out->nll;
  if (gain <= 0) report.leave_one_out->auc = std::numeric_limits<double>::quiet_NaN();
  const double rows =
      std::pow(targets.weight.sum(), 2) / targets.weight.squaredNorm();  // weights are relative
  if (gain * rows >= policy::evidence || targets.n() < few || report.cross_validation) return;
  report.warnings.emplace_back(
      "the features do not predict the label: rows that are left out are predicted no better than by the "
      "base rate, or by so little that it may be chance");
}

}  // namespace induce::detail
