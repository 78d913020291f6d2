#include "data/distinct_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace induce {
namespace {

// Equal rows of equal label have equal hashes; + 0.0 makes -0 the same as 0.
std::uint64_t hash_of(const double* row, std::size_t d, int label) {
  std::uint64_t hash = static_cast<std::uint64_t>(label) + 0x9e3779b97f4a7c15;
  for (std::size_t f = 0; f < d; ++f) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(row[f] + 0.0)) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return hash;
}

// Perhaps, if two hashes meet by chance: sorting then does no harm.
bool may_repeat(TableView X, std::span<const int> y) {
  std::vector<std::uint64_t> hashes(X.n);
  for (std::size_t i = 0; i < X.n; ++i) hashes[i] = hash_of(X.row(i), X.d, y[i]);
  std::sort(hashes.begin(), hashes.end());
  return std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end();
}

}  // namespace

std::optional<WeightedTable> distinct_rows(TableView X, std::span<const int> y,
                                           std::span<const double> weights) {
  const bool all_one = std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; });
  if (all_one && !may_repeat(X, y)) return std::nullopt;

  const auto compare = [&](std::size_t i, std::size_t j) {
    const auto rows =
        std::lexicographical_compare_three_way(X.row(i), X.row(i) + X.d, X.row(j), X.row(j) + X.d);
    return rows != 0 ? rows : std::partial_ordering(y[i] <=> y[j]);
  };
  std::vector<std::size_t> order(X.n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!weights.empty()) std::erase_if(order, [&](std::size_t i) { return weights[i] == 0; });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return compare(i, j) < 0; });

  WeightedTable table;
  table.d = X.d;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    const double weight = weights.empty() ? 1 : weights[i];
    if (k > 0 && compare(order[k - 1], i) == 0) {
      table.weight.back() += weight;
      continue;
    }
    table.x.insert(table.x.end(), X.row(i), X.row(i) + X.d);
    table.y.push_back(y[i]);
    table.weight.push_back(weight);
  }
  return table;
}

}  // namespace induce
