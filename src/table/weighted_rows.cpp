#include "table/weighted_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "rows/blocks.hpp"
#include "table/row_order.hpp"
#include "state/random.hpp"

namespace induce {

Vector DrawnRows::copies() const {
  Vector count = Vector::Zero(weight.size());
  for (const Index at : place) ++count[at];
  return count;
}

DrawnRows WeightedRows::draw(std::span<const Index> of_user) const {
  DrawnRows drawn;
  drawn.own_weight = own_weight(std::vector<Index>(of_user.begin(), of_user.end()));
  std::vector<Index> place_of(rows.size(), -1);
  std::vector<double> sums;
  for (std::size_t k = 0; k < of_user.size(); ++k) {
    const Index distinct = distinct_of[static_cast<std::size_t>(of_user[k])];
    Index& place = place_of[static_cast<std::size_t>(distinct)];
    if (place < 0) {
      place = static_cast<Index>(drawn.distinct.size());
      drawn.distinct.push_back(distinct);
      sums.push_back(0);
    }
    drawn.place.push_back(place);
    sums[static_cast<std::size_t>(place)] += drawn.own_weight[static_cast<Index>(k)];
  }
  drawn.weight = Eigen::Map<const Vector>(sums.data(), static_cast<Index>(sums.size()));
  return drawn;
}

WeightedRows all_rows(TableView table, std::span<const double> weights) {
  WeightedRows all{.table = table,
                   .rows = std::vector<Index>(table.n),
                   .weight = Vector::Ones(static_cast<Index>(table.n)),
                   .table_row = {},
                   .distinct_of = {},
                   .own_weight = {}};
  std::iota(all.rows.begin(), all.rows.end(), Index{0});
  if (!weights.empty()) all.weight = Eigen::Map<const Vector>(weights.data(), all.n());
  all.table_row = all.distinct_of = all.rows;
  all.own_weight = all.weight;
  return all;
}

namespace {

// `hash(i)` of a row and its label; `compare(a, b)` of two: -1, 0 or 1.
template <class Hash, class Compare>
WeightedRows merged(TableView table, std::span<const double> weights, Workers& workers, const Hash& hash,
                    const Compare& compare) {
  struct Key {
    std::uint64_t hash;
    Index row;
  };
  const Index n = static_cast<Index>(table.n);
  std::vector<Key> keys(table.n);
  for_each_block(Blocks::light(n), workers, [&](Index first, Index count, int /*worker*/) {
    for (Index i = first; i < first + count; ++i) keys[i] = {hash(i), i};
  });
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int which = compare(a.row, b.row);
    if (which != 0) return which < 0;
    // Equal rows by weight, so that the sum does not depend on their order.
    if (!weights.empty() && weights[a.row] != weights[b.row]) return weights[a.row] < weights[b.row];
    return a.row < b.row;
  });

  WeightedRows merged{
      .table = table, .rows = {}, .weight = {}, .table_row = {}, .distinct_of = {}, .own_weight = {}};
  std::vector<double> sums, own;
  const Key* last = nullptr;
  for (const Key& key : keys) {
    const double weight = weights.empty() ? 1.0 : weights[key.row];
    if (weight == 0) continue;
    const bool same = last && last->hash == key.hash && compare(last->row, key.row) == 0;
    if (same) {
      sums.back() += weight;
    } else {
      merged.rows.push_back(key.row);
      sums.push_back(weight);
      last = &key;
    }
    merged.table_row.push_back(key.row);
    merged.distinct_of.push_back(merged.n() - 1);
    own.push_back(weight);
  }
  merged.weight = Eigen::Map<const Vector>(sums.data(), static_cast<Index>(sums.size()));
  merged.own_weight = Eigen::Map<const Vector>(own.data(), static_cast<Index>(own.size()));
  return merged;
}

// The entries of a sparse row that are not zero, one by one.
class Entries {
 public:
  Entries(const SparseView& table, Index row)
      : table_(table), at_(table.row_start[row]), end_(table.row_start[row + 1]) {
    skip_zeros();
  }
  bool done() const { return at_ == end_; }
  std::int32_t column() const { return table_.column[at_]; }
  double value() const { return table_.value[at_]; }
  void next() {
    ++at_;
    skip_zeros();
  }

 private:
  void skip_zeros() {
    while (at_ < end_ && table_.value[at_] == 0) ++at_;
  }
  const SparseView& table_;
  std::int64_t at_, end_;
};

std::uint64_t hash_row(const SparseView& table, Index row, int label) {
  std::uint64_t state = static_cast<std::uint64_t>(label);
  for (Entries entry(table, row); !entry.done(); entry.next()) {
    state ^= static_cast<std::uint64_t>(entry.column());
    state = splitmix64(state) ^ std::bit_cast<std::uint64_t>(entry.value());
    state = splitmix64(state);
  }
  return state;
}

int compare_rows(const SparseView& table, std::span<const int> labels, Index a, Index b) {
  Entries x(table, a), z(table, b);
  for (; !x.done() && !z.done(); x.next(), z.next()) {
    if (x.column() != z.column()) return x.column() < z.column() ? -1 : 1;
    if (x.value() != z.value()) return x.value() < z.value() ? -1 : 1;
  }
  if (x.done() != z.done()) return x.done() ? -1 : 1;
  return labels[a] == labels[b] ? 0 : labels[a] < labels[b] ? -1 : 1;
}

}  // namespace

WeightedRows merged_rows(TableView table, std::span<const int> labels, std::span<const double> weights,
                         Workers& workers, std::span<const Index> order) {
  return merged(
      table, weights, workers,
      [&](Index i) { return hash_of_row(table.row(static_cast<std::size_t>(i)), table.d, order, labels[i]); },
      [&](Index a, Index b) {
        return compare_rows(table.row(static_cast<std::size_t>(a)), labels[a],
                            table.row(static_cast<std::size_t>(b)), labels[b], table.d);
      });
}

WeightedRows merged_rows(const SparseView& table, std::span<const int> labels,
                         std::span<const double> weights, Workers& workers) {
  return merged(
      {nullptr, table.n, table.d}, weights, workers, [&](Index i) { return hash_row(table, i, labels[i]); },
      [&](Index a, Index b) { return compare_rows(table, labels, a, b); });
}

std::uint64_t hash_of_row(const SparseView& table, Index row) { return hash_row(table, row, 0); }

}  // namespace induce
