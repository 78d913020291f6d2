#include "train/set_thresholds.hpp"

#include <algorithm>
#include <numeric>

namespace induce::detail {
namespace {

constexpr int grid_steps = 200;

// What classes more probable than the true one have together. Of two classes, p is that of the second.
double before_true_class(std::span<const double> p, double label) {
  if (p.size() == 1) {
    const double own = label > 0 ? p[0] : 1 - p[0];
    return own < 0.5 || (own == 0.5 && label > 0) ? 1 - own : 0;
  }
  const auto own = static_cast<std::size_t>(label);
  double before = 0;
  for (std::size_t c = 0; c < p.size(); ++c)
    if (p[c] > p[own] || (p[c] == p[own] && c < own)) before += p[c];
  return before;
}

}  // namespace

std::vector<double> set_thresholds(std::span<const double> probability, const Targets& targets,
                                   Index functions) {
  const auto n = static_cast<std::size_t>(targets.n()), per_row = static_cast<std::size_t>(functions);
  std::vector<std::pair<double, double>> rows;  // e and weight
  for (std::size_t i = 0; i < n; ++i)
    rows.emplace_back(
        before_true_class(probability.subspan(i * per_row, per_row), targets.y[static_cast<Index>(i)]),
        targets.weight[static_cast<Index>(i)]);
  std::sort(rows.begin(), rows.end());
  const double total = targets.weight.sum(), needed = total + total / static_cast<double>(n);
  std::vector<double> thresholds(grid_steps / 2 + 1, 1.0);
  if (rows.empty() || !(total > 0)) return thresholds;
  thresholds[0] = rows.back().first;
  double below = 0;
  int step = grid_steps / 2;  // from the smallest threshold to the largest
  for (const auto& [e, weight] : rows) {
    below += weight;
    for (; step > 0 && below >= (1 - static_cast<double>(step) / grid_steps) * needed; --step)
      thresholds[static_cast<std::size_t>(step)] = e;
  }
  return thresholds;
}

}  // namespace induce::detail
