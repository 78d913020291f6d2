#include "table/column_moments.hpp"

#include <algorithm>
#include <cmath>

namespace induce::detail {

ColumnSums::ColumnSums(std::size_t columns, const Names& names)
    : values(columns, 0), sums(columns, 0), squares(columns, 0), levels(columns) {
  for (std::size_t c = 0; c < names.columns.size() && c < columns; ++c)
    if (names.columns[c].has_levels()) levels[c].assign(names.columns[c].levels.size() + 1, 0);
}

void ColumnSums::add(const double* row, double weight, const std::vector<double>& origin) {
  weight_ += weight;
  for (std::size_t c = 0; c < values.size(); ++c) {
    const double x = row[c];
    if (std::isnan(x)) continue;
    values[c] += weight;
    if (!levels[c].empty()) {
      levels[c][std::min(static_cast<std::size_t>(x), levels[c].size() - 1)] += weight;
      continue;
    }
    const double from_origin = origin.empty() ? x : x - origin[c];
    sums[c] += weight * from_origin;
    squares[c] += weight * from_origin * from_origin;
  }
}

ColumnMoments ColumnMoments::find(const MemoryStore& rows, const Names& names) {
  const auto columns = static_cast<std::size_t>(rows.columns());
  ColumnSums first(columns, names), second(columns, names);
  for (Index i = 0; i < rows.n(); ++i) first.add(rows.row(i), rows.weight()[i]);
  ColumnMoments moments;
  for (std::size_t c = 0; c < columns; ++c) {
    const double mean = first.values[c] > 0 ? first.sums[c] / first.values[c] : 0;
    moments.mean.push_back(std::isfinite(mean) ? mean : 0);
  }
  for (Index i = 0; i < rows.n(); ++i) second.add(rows.row(i), rows.weight()[i], moments.mean);
  for (std::size_t c = 0; c < columns; ++c) {
    const double of_values = second.values[c], all = second.weight();
    const double variance = of_values > 0 ? second.squares[c] / of_values : 0;
    moments.deviation.push_back(std::isfinite(variance) ? std::sqrt(variance) : 0);
    moments.gaps.push_back(all > 0 ? std::clamp(1 - of_values / all, 0.0, 1.0) : 0);
    std::vector<double>& shares = moments.levels.emplace_back();
    if (second.levels[c].empty()) continue;
    shares.assign(second.levels[c].begin(), second.levels[c].end() - 1);
    for (double& share : shares) share = of_values > 0 ? std::min(1.0, share / of_values) : 0;
  }
  return moments;
}

}  // namespace induce::detail
