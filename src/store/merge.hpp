// Merges equal rows: the one place where rows are put in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace induce::detail {

struct RowKey {
  std::uint64_t hash;
  std::uint32_t row;
};

// compare(a, b) of two rows: -1, 0 or 1; weight_of(row). Sorts by hash, contents and weight, then calls visit(key, weight, is_copy)
// for each row that has a weight: a copy follows the row that it equals.
template <class Compare, class WeightOf, class Visit>
void merge_rows(std::span<RowKey> keys, const Compare& compare, const WeightOf& weight_of,
                const Visit& visit) {
  std::sort(keys.begin(), keys.end(), [&](const RowKey& a, const RowKey& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    if (const int order = compare(a.row, b.row); order != 0) return order < 0;
    // By weight, so that a sum of weights does not depend on the order of the table.
    const double weight_a = weight_of(a.row), weight_b = weight_of(b.row);
    return weight_a != weight_b ? weight_a < weight_b : a.row < b.row;
  });
  const RowKey* last = nullptr;
  for (const RowKey& key : keys) {
    const double weight = weight_of(key.row);
    if (weight == 0) continue;
    visit(key, weight, last && last->hash == key.hash && compare(last->row, key.row) == 0);
    last = &key;
  }
}

}  // namespace induce::detail
