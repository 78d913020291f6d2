#include "explain/grid.hpp"

#include <algorithm>
#include <cmath>

namespace induce::detail {
namespace {

constexpr std::size_t most_few_values = 12;
constexpr double tail = 0.01;  // of the rows, outside the range at each end

// The values of a column without its gaps, in increasing order, in the user's units and in the model's.
struct Sorted {
  std::vector<double> x, at;

  Sorted(const MemoryStore& rows, const RowSample& sample, Index column, Index feature) {
    std::vector<std::pair<double, double>> all;
    for (std::size_t i = 0; i < sample.rows.size(); ++i)
      if (const double value = rows.row(sample.rows[i])[column]; !std::isnan(value))
        all.emplace_back(value, sample.X(static_cast<Index>(i), feature));
    std::sort(all.begin(), all.end());
    for (const auto& [value, place] : all) {
      x.push_back(value);
      at.push_back(place);
    }
  }

  // At most `most` and one more. Values that the model cannot tell apart are one value.
  FeatureRange different(std::size_t most) const {
    FeatureRange range;
    for (std::size_t k = 0; k < x.size() && range.few.size() <= most; ++k) add(k, range);
    return range;
  }
  void add(std::size_t k, FeatureRange& range) const {
    if (!range.few.empty() && (x[k] == range.few.back() || at[k] <= range.few_at.back())) return;
    range.few.push_back(x[k]);
    range.few_at.push_back(at[k]);
  }
};

}  // namespace

void FeatureRange::clip(double lowest, double highest) {
  low = std::clamp(low, lowest, highest);
  high = std::clamp(high, lowest, highest);
}

FeatureRange range_of(const MemoryStore& rows, const RowSample& sample, Index column, Index feature) {
  const Sorted sorted(rows, sample, column, feature);
  const std::size_t n = sorted.x.size();
  if (n == 0) return {{0}, {0}, 0, 0};
  FeatureRange range = sorted.different(most_few_values);
  if (range.few.size() <= most_few_values) return range;
  range.few.clear();
  range.few_at.clear();
  const auto cut = static_cast<std::size_t>(tail * static_cast<double>(n - 1));
  range.low = sorted.at[cut];
  range.high = sorted.at[n - 1 - cut];
  if (range.low == range.high) {  // nearly constant
    range.low = sorted.at.front();
    range.high = sorted.at.back();
  }
  return range;
}

FeatureRange quantiles_of(const MemoryStore& rows, const RowSample& sample, Index column, Index feature,
                          Index most) {
  const Sorted sorted(rows, sample, column, feature);
  const auto n = static_cast<Index>(sorted.x.size());
  if (n == 0) return {{0}, {0}, 0, 0};
  FeatureRange range = sorted.different(static_cast<std::size_t>(most));
  if (static_cast<Index>(range.few.size()) <= most) return range;
  range = {};
  for (Index k = 0; k < most; ++k) sorted.add(static_cast<std::size_t>((2 * k + 1) * n / (2 * most)), range);
  return range;
}

FeatureGrid::Position FeatureGrid::position_of(double x) const {
  if (!(x > at_[0])) return {0, 0};
  const Index right = std::upper_bound(at_.begin(), at_.end(), x) - at_.begin();
  if (right == points()) return {points() - 1, 0};
  return {right - 1, (x - at_[right - 1]) / (at_[right] - at_[right - 1])};
}

}  // namespace induce::detail
