#include "store/ordered_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <induce/error.hpp>

#include "rows/blocks.hpp"
#include "table/row_order.hpp"

namespace induce {

void FactsOfRows::include(const double* x, Index columns, int label, double weight, std::uint64_t hash) {
  ++rows;
  of_class.resize(std::max(of_class.size(), static_cast<std::size_t>(label) + 1));
  if (weight > 0) {
    ++of_class[static_cast<std::size_t>(label)];
    ranges.include(x, static_cast<std::size_t>(columns));
  }
  identity += hash ^ (std::bit_cast<std::uint64_t>(weight) * 0x9e3779b97f4a7c15);
  has_gaps.resize(static_cast<std::size_t>(columns));
  Index gaps = 0;
  for (Index f = 0; f < columns; ++f)
    if (std::isnan(x[f])) {
      has_gaps[static_cast<std::size_t>(f)] = 1;
      ++gaps;
    }
  most_gaps = std::max(most_gaps, gaps);
}

void FactsOfRows::include(const FactsOfRows& other) {
  rows += other.rows;
  identity += other.identity;
  most_gaps = std::max(most_gaps, other.most_gaps);
  ranges.include(other.ranges);
  of_class.resize(std::max(of_class.size(), other.of_class.size()));
  for (std::size_t k = 0; k < other.of_class.size(); ++k) of_class[k] += other.of_class[k];
  has_gaps.resize(std::max(has_gaps.size(), other.has_gaps.size()));
  for (std::size_t f = 0; f < other.has_gaps.size(); ++f) has_gaps[f] |= other.has_gaps[f];
}

OrderedTable::OrderedTable(TableView table, std::span<const int> labels, std::span<const double> weights,
                           std::span<const Index> column_order, Workers& workers)
    : OrderedTable(table, labels, weights, column_order,
                   leaves_by_hash(static_cast<Index>(table.n), static_cast<Index>(table.d)), 0,
                   leaves_by_hash(static_cast<Index>(table.n), static_cast<Index>(table.d)), workers) {}

OrderedTable::OrderedTable(TableView table, std::span<const int> labels, std::span<const double> weights,
                           std::span<const Index> column_order, Index total, Index first, Index count,
                           Workers& workers)
    : table_(table), labels_(labels) {
  if (table.n > std::numeric_limits<std::uint32_t>::max())
    throw data_error("the table has " + std::to_string(table.n) +
                     " rows: a process can have at most 4294967295 in memory");
  struct Key {
    std::uint64_t hash;
    std::uint32_t row;
  };
  const Index n = static_cast<Index>(table.n);
  const auto weight_of = [&](std::uint32_t row) { return weights.empty() ? 1.0 : weights[row]; };
  std::vector<Key> keys(table.n);
  for_each_block(Blocks::light(n), workers, [&](Index begin, Index rows, int /*worker*/) {
    for (Index i = begin; i < begin + rows; ++i)
      keys[i] = {hash_of_row(table.row(static_cast<std::size_t>(i)), table.d, column_order, labels[i]),
                 static_cast<std::uint32_t>(i)};
  });
  for (const Key& key : keys)
    facts_.include(table.row(key.row), columns(), labels[key.row], weight_of(key.row), key.hash);

  // Sorted leaf by leaf, so that threads share the work.
  const auto leaf_of = [&](const Key& key) { return leaf_of_hash(key.hash, total) - first; };
  std::vector<std::size_t> begin(static_cast<std::size_t>(count) + 1, 0);
  for (const Key& key : keys) ++begin[static_cast<std::size_t>(leaf_of(key)) + 1];
  for (Index leaf = 0; leaf < count; ++leaf) begin[leaf + 1] += begin[leaf];
  std::vector<Key> sorted(keys.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const Key& key : keys) sorted[next[static_cast<std::size_t>(leaf_of(key))]++] = key;
  keys = {};

  const auto compare = [&](const Key& a, const Key& b) {  // -1, 0 or 1; weights do not count
    if (a.hash != b.hash) return a.hash < b.hash ? -1 : 1;
    return compare_rows(table.row(a.row), labels[a.row], table.row(b.row), labels[b.row], table.d);
  };
  std::vector<std::size_t> kept(static_cast<std::size_t>(count));
  weight_.resize(n);
  copies_.resize(table.n);
  workers.run(count, [&](Index leaf, int /*worker*/) {
    const auto from = sorted.begin() + static_cast<std::ptrdiff_t>(begin[leaf]),
               to = sorted.begin() + static_cast<std::ptrdiff_t>(begin[leaf + 1]);
    std::sort(from, to, [&](const Key& a, const Key& b) {
      const int order =
          compare(a, b);  // equal rows by weight, so that the sum does not depend on their order
      return order != 0 ? order < 0 : weight_of(a.row) < weight_of(b.row);
    });
    auto end = from;
    for (auto key = from; key != to; ++key) {
      const double weight = weight_of(key->row);
      if (weight == 0) continue;
      if (end != from && compare(*(end - 1), *key) == 0) {
        weight_[end - 1 - sorted.begin()] += weight;
        ++copies_[static_cast<std::size_t>(end - 1 - sorted.begin())];
      } else {
        *end = *key;
        weight_[end - sorted.begin()] = weight;
        copies_[static_cast<std::size_t>(end - sorted.begin())] = 1;
        ++end;
      }
    }
    kept[static_cast<std::size_t>(leaf)] = static_cast<std::size_t>(end - from);
  });
  leaves_ = {.total = total, .first = first, .begin = {0}};
  Index at = 0;
  for (Index leaf = 0; leaf < count; ++leaf) {
    for (std::size_t k = begin[leaf]; k < begin[leaf] + kept[leaf]; ++k, ++at) {
      row_.push_back(sorted[k].row);
      weight_[at] = weight_[static_cast<Index>(k)];
      copies_[static_cast<std::size_t>(at)] = copies_[k];
    }
    leaves_.begin.push_back(at);
  }
  weight_.conservativeResize(at);
  copies_.resize(static_cast<std::size_t>(at));
}

void OrderedTable::read(Index first, Index rows, double* x, double* label, double* weight) const {
  for (Index i = 0; i < rows; ++i) {
    const std::uint32_t row = row_[static_cast<std::size_t>(first + i)];
    if (x)
      for (Index f = 0; f < columns(); ++f) x[i * columns() + f] = table_.row(row)[f] + 0.0;  // -0 becomes 0
    if (label) label[i] = labels_[row];
    if (weight) weight[i] = weight_[first + i];
  }
}

}  // namespace induce
