#include "table/weighted_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "rows/blocks.hpp"
#include "state/random.hpp"

namespace induce {
namespace {

std::uint64_t hash_row(const double* x, std::size_t d, std::span<const Index> order, int label) {
  std::uint64_t state = static_cast<std::uint64_t>(label);
  for (std::size_t k = 0; k < d; ++k) {
    const double value = x[order.empty() ? k : static_cast<std::size_t>(order[k])];
    const double same =
        std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value + 0.0;  // -0 becomes 0
    state ^= std::bit_cast<std::uint64_t>(same);
    state = splitmix64(state);
  }
  return state;
}

// NaN are equal and come last.
int compare(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

// Returns -1, 0 or 1. Compares labels last, so that rows with equal features are adjacent.
int compare_rows(const TableView& table, std::span<const int> labels, Index a, Index b) {
  const double *x = table.row(static_cast<std::size_t>(a)), *z = table.row(static_cast<std::size_t>(b));
  for (std::size_t f = 0; f < table.d; ++f)
    if (const int order = compare(x[f], z[f]); order != 0) return order;
  return labels[a] == labels[b] ? 0 : labels[a] < labels[b] ? -1 : 1;
}

}  // namespace

WeightedRows all_rows(TableView table, std::span<const double> weights) {
  WeightedRows all{table, std::vector<Index>(table.n), Vector::Ones(static_cast<Index>(table.n))};
  std::iota(all.rows.begin(), all.rows.end(), Index{0});
  if (!weights.empty()) all.weight = Eigen::Map<const Vector>(weights.data(), all.n());
  return all;
}

WeightedRows merged_rows(TableView table, std::span<const int> labels, std::span<const double> weights,
                         Workers& workers, std::span<const Index> order) {
  struct Key {
    std::uint64_t hash;
    Index row;
  };
  const Index n = static_cast<Index>(table.n);
  std::vector<Key> keys(table.n);
  for_each_block(Blocks::light(n), workers, [&](Index first, Index count, int /*worker*/) {
    for (Index i = first; i < first + count; ++i)
      keys[i] = {hash_row(table.row(static_cast<std::size_t>(i)), table.d, order, labels[i]), i};
  });
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int which = compare_rows(table, labels, a.row, b.row);
    return which != 0 ? which < 0 : a.row < b.row;
  });

  WeightedRows merged{table, {}, {}};
  std::vector<double> sums;
  const Key* last = nullptr;
  for (const Key& key : keys) {
    const double weight = weights.empty() ? 1.0 : weights[key.row];
    if (weight == 0) continue;
    const bool same = last && last->hash == key.hash && compare_rows(table, labels, last->row, key.row) == 0;
    if (same) {
      sums.back() += weight;
    } else {
      merged.rows.push_back(key.row);
      sums.push_back(weight);
      last = &key;
    }
  }
  merged.weight = Eigen::Map<const Vector>(sums.data(), static_cast<Index>(sums.size()));
  return merged;
}

}  // namespace induce
