#include "explain/grid.hpp"

#include <algorithm>
#include <numeric>

namespace induce {
namespace {

constexpr std::size_t most_few_values = 12;
constexpr double tail = 0.01;  // of the rows, outside the range at each end

}  // namespace

FeatureRange range_of(const WeightedRows& rows, const RowSample& sample, Index feature) {
  const std::size_t n = sample.rows.size();
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = rows.row(sample.rows[i])[feature];
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
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

FeatureGrid::Place FeatureGrid::place_of(double x) const {
  if (!(x > at_[0])) return {0, 0};
  const Index right = std::upper_bound(at_.begin(), at_.end(), x) - at_.begin();
  if (right == points()) return {points() - 1, 0};
  return {right - 1, (x - at_[right - 1]) / (at_[right] - at_[right - 1])};
}

double FeatureGrid::interpolate(const Vector& y, double x) const {
  const auto [left, share] = place_of(x);
  return share == 0 ? y[left] : (1 - share) * y[left] + share * y[left + 1];
}

Vector FeatureGrid::shares(const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& x) const {
  Vector p = Vector::Zero(points());
  for (Index i = 0; i < x.size(); ++i) {
    const auto [left, share] = place_of(x[i]);
    p[left] += 1 - share;
    if (share != 0) p[left + 1] += share;
  }
  return p / static_cast<double>(x.size());
}

}  // namespace induce
