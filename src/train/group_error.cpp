#include "train/group_error.hpp"

#include <cmath>
#include <limits>
#include <map>

namespace induce::detail {

double error_of_groups(const StagedFit& fit, const Folds& folds, std::span<const double> probability,
                       const Targets& targets) {
  const TrainingPlan& plan = fit.plan();
  const std::vector<double> losses = losses_of(probability, targets);
  const Eigen::Map<const Vector> loss(losses.data(), targets.n());
  const double total = targets.weight.sum(), mean = loss.dot(targets.weight) / total;
  std::map<int, double> sums;
  for (Index k = 0; k < loss.size(); ++k) {
    const Index row = plan.rows.table_row_of_user(fit.row_at(folds.first(0) + k));
    sums[plan.groups.of[static_cast<std::size_t>(row)]] += targets.weight[k] * (loss[k] - mean);
  }
  double squares = 0;
  for (const auto& [group, sum] : sums) squares += sum * sum;
  const auto count = static_cast<double>(sums.size());
  return count < 2 ? std::numeric_limits<double>::quiet_NaN()
                   : std::sqrt(squares * count / (count - 1)) / total;
}

}  // namespace induce::detail
