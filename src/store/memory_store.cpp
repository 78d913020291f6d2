#include "store/memory_store.hpp"

#include <limits>
#include <string>

#include <induce/error.hpp>

#include "rows/blocks.hpp"
#include "store/merge.hpp"
#include "store/row_order.hpp"

namespace induce::detail {

Vector Draw::copies() const {
  Vector count = Vector::Zero(weight.size());
  for (const Index at : place) ++count[at];
  return count;
}

MemoryStore::MemoryStore(TableView table, std::span<const int> labels, std::span<const double> weights)
    : RowStore(static_cast<Index>(table.d)), table_(table), labels_(labels), weights_(weights) {
  if (table.n > std::numeric_limits<std::uint32_t>::max())
    throw data_error("the table has " + std::to_string(table.n) +
                     " rows: a process can have at most 4294967295 in memory");
}

MemoryStore MemoryStore::as_it_is(TableView table, std::span<const int> labels,
                                  std::span<const double> weights) {
  MemoryStore store(table, labels, weights);
  store.row_.resize(table.n);
  store.begin_.resize(table.n + 1);
  std::iota(store.row_.begin(), store.row_.end(), 0U);
  std::iota(store.begin_.begin(), store.begin_.end(), 0U);
  const Index n = static_cast<Index>(table.n);
  store.leaves_ = Leaves::of(n);
  store.weight_ = Vector::Ones(n);
  if (!weights.empty()) store.weight_ = Eigen::Map<const Vector>(weights.data(), n);
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    store.facts_.identity *= 3;  // here the order of the rows matters
    store.facts_.include(table.row(i), store.columns(), labels[i], store.own_weight(i),
                         hash_of_row(table.row(i), table.d, {}, labels[i]));
  }
  return store;
}

MemoryStore::MemoryStore(TableView table, std::span<const int> labels, std::span<const double> weights,
                         std::span<const Index> column_order, Workers& workers)
    : MemoryStore(table, labels, weights, column_order,
                  leaves_by_hash(static_cast<Index>(table.n), static_cast<Index>(table.d)), 0,
                  leaves_by_hash(static_cast<Index>(table.n), static_cast<Index>(table.d)), workers) {}

MemoryStore::MemoryStore(TableView table, std::span<const int> labels, std::span<const double> weights,
                         std::span<const Index> column_order, Index total, Index first, Index count,
                         Workers& workers)
    : MemoryStore(table, labels, weights) {
  std::vector<RowKey> keys(table.n);
  for_each_block(
      Blocks::light(static_cast<Index>(table.n)), workers, [&](Index from, Index rows, int /*worker*/) {
        for (Index i = from; i < from + rows; ++i)
          keys[i] = {hash_of_row(table.row(static_cast<std::size_t>(i)), table.d, column_order, labels[i]),
                     static_cast<std::uint32_t>(i)};
      });
  for (const RowKey& key : keys)
    facts_.include(table.row(key.row), columns(), labels[key.row], own_weight(key.row), key.hash);

  // Sorted leaf by leaf, so that threads share the work.
  const auto leaf_of = [&](const RowKey& key) {
    return static_cast<std::size_t>(leaf_of_hash(key.hash, total) - first);
  };
  std::vector<std::size_t> begin(static_cast<std::size_t>(count) + 1, 0);
  for (const RowKey& key : keys) ++begin[leaf_of(key) + 1];
  for (Index leaf = 0; leaf < count; ++leaf) begin[leaf + 1] += begin[leaf];
  std::vector<RowKey> sorted(keys.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const RowKey& key : keys) sorted[next[leaf_of(key)]++] = key;
  keys = {};

  row_.resize(table.n);
  begin_.resize(table.n + 1);
  weight_.resize(static_cast<Index>(table.n));
  struct Kept {
    std::size_t rows = 0, distinct = 0;
  };
  std::vector<Kept> kept(static_cast<std::size_t>(count));
  workers.run(count, [&](Index leaf, int /*worker*/) {
    const std::size_t from = begin[leaf];
    Kept& here = kept[static_cast<std::size_t>(leaf)];
    merge_rows(
        std::span(sorted).subspan(from, begin[leaf + 1] - from),
        [&](std::uint32_t a, std::uint32_t b) {
          return compare_rows(table.row(a), labels[a], table.row(b), labels[b], table.d);
        },
        [&](std::uint32_t row) { return own_weight(row); },
        [&](const RowKey& key, double weight, bool is_copy) {
          if (is_copy) {
            weight_[static_cast<Index>(from + here.distinct) - 1] += weight;
          } else {
            begin_[from + here.distinct] = static_cast<std::uint32_t>(here.rows);
            weight_[static_cast<Index>(from + here.distinct)] = weight;
            ++here.distinct;
          }
          row_[from + here.rows++] = key.row;
        });
  });
  leaves_ = {.total = total, .first = first, .begin = {0}};
  std::size_t n = 0, rows_before = 0;
  for (Index leaf = 0; leaf < count; ++leaf) {
    const std::size_t from = begin[leaf];
    const Kept& here = kept[static_cast<std::size_t>(leaf)];
    for (std::size_t k = 0; k < here.distinct; ++k, ++n) {
      begin_[n] = begin_[from + k] + static_cast<std::uint32_t>(rows_before);
      weight_[static_cast<Index>(n)] = weight_[static_cast<Index>(from + k)];
    }
    std::copy_n(row_.begin() + static_cast<std::ptrdiff_t>(from), here.rows,
                row_.begin() + static_cast<std::ptrdiff_t>(rows_before));
    rows_before += here.rows;
    leaves_.begin.push_back(static_cast<Index>(n));
  }
  begin_[n] = static_cast<std::uint32_t>(rows_before);
  begin_.resize(n + 1);
  row_.resize(rows_before);
  weight_.conservativeResize(static_cast<Index>(n));
}

void MemoryStore::read(Index first, Index rows, const Cells& to) const {
  for (Index i = 0; i < rows; ++i) {
    const auto at = static_cast<std::size_t>(first + i);
    const std::uint32_t row = row_[begin_[at]];
    if (to.x)
      for (Index f = 0; f < columns(); ++f)
        to.x[i * columns() + f] = table_.row(row)[f] + 0.0;  // -0 becomes 0
    if (to.label) to.label[i] = labels_[row];
    if (to.weight) to.weight[i] = weight_[first + i];
    if (to.copies) to.copies[i] = begin_[at + 1] - begin_[at];
  }
}

std::vector<Index> MemoryStore::table_rows(std::span<const Index> rows) const {
  std::vector<Index> found;
  for (const Index i : rows) found.push_back(table_row(i));
  return found;
}

Draw MemoryStore::draw(std::span<const Index> picked) const {
  Draw drawn;
  drawn.own_weight.resize(static_cast<Index>(picked.size()));
  std::vector<Index> place_of(static_cast<std::size_t>(n()), -1);
  std::vector<double> sums;
  for (std::size_t k = 0; k < picked.size(); ++k) {
    const Index distinct = distinct_of(picked[k]);
    const double weight = own_weight(row_[static_cast<std::size_t>(picked[k])]);
    Index& place = place_of[static_cast<std::size_t>(distinct)];
    if (place < 0) {
      place = static_cast<Index>(drawn.distinct.size());
      drawn.distinct.push_back(distinct);
      sums.push_back(0);
    }
    drawn.place.push_back(place);
    drawn.own_weight[static_cast<Index>(k)] = weight;
    sums[static_cast<std::size_t>(place)] += weight;
  }
  drawn.weight = Eigen::Map<const Vector>(sums.data(), static_cast<Index>(sums.size()));
  return drawn;
}

}  // namespace induce::detail
