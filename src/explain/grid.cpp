#include "explain/grid.hpp"

#include <algorithm>
#include <cmath>

namespace induce::detail {
namespace {

constexpr std::size_t most_few_values = 12;
constexpr double tail = 0.01;  // of the rows, outside the range at each end

}  // namespace

FeatureRange range_of(const MemoryStore& rows, const RowSample& sample, Index column, Index feature) {
  std::vector<double> x;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    x.push_back(rows.row(sample.rows[i])[column]);
    if (!std::isnan(x.back())) order.push_back(i);
  }
  const std::size_t n = order.size();
  if (n == 0) return {{0}, {0}, 0, 0};
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });

  FeatureRange range;
  const auto in_model_units = [&](std::size_t rank) {
    return sample.X(static_cast<Index>(order[rank]), feature);
  };
  for (std::size_t k = 0; k < n && range.few.size() <= most_few_values; ++k) {
    // Values that the model cannot tell apart are one value.
    if (k > 0 && (x[order[k]] == range.few.back() || in_model_units(k) <= range.few_at.back())) continue;
    range.few.push_back(x[order[k]]);
    range.few_at.push_back(in_model_units(k));
  }
  if (range.few.size() <= most_few_values) return range;
  range.few.clear();
  range.few_at.clear();
  const auto cut = static_cast<std::size_t>(tail * static_cast<double>(n - 1));
  range.low = in_model_units(cut);
  range.high = in_model_units(n - 1 - cut);
  if (range.low == range.high) {  // nearly constant
    range.low = in_model_units(0);
    range.high = in_model_units(n - 1);
  }
  return range;
}

FeatureGrid::Position FeatureGrid::position_of(double x) const {
  if (!(x > at_[0])) return {0, 0};
  const Index right = std::upper_bound(at_.begin(), at_.end(), x) - at_.begin();
  if (right == points()) return {points() - 1, 0};
  return {right - 1, (x - at_[right - 1]) / (at_[right] - at_[right - 1])};
}

}  // namespace induce::detail
