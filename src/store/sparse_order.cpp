#include "store/sparse_order.hpp"

#include <bit>

#include "rows/blocks.hpp"
#include "linalg/random.hpp"
#include "store/merge.hpp"

namespace induce::detail {
namespace {

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

int compare_sparse(const SparseView& table, std::span<const int> labels, Index a, Index b) {
  Entries x(table, a), z(table, b);
  for (; !x.done() && !z.done(); x.next(), z.next()) {
    if (x.column() != z.column()) return x.column() < z.column() ? -1 : 1;
    if (x.value() != z.value()) return x.value() < z.value() ? -1 : 1;
  }
  if (x.done() != z.done()) return x.done() ? -1 : 1;
  return labels[a] == labels[b] ? 0 : labels[a] < labels[b] ? -1 : 1;
}

}  // namespace

std::uint64_t hash_of_row(const SparseView& table, Index row, int label) {
  std::uint64_t state = static_cast<std::uint64_t>(label);
  for (Entries entry(table, row); !entry.done(); entry.next()) {
    state ^= static_cast<std::uint64_t>(entry.column());
    state = splitmix64(state) ^ std::bit_cast<std::uint64_t>(entry.value());
    state = splitmix64(state);
  }
  return state;
}

MergedSparse merge_sparse(const SparseView& table, std::span<const int> labels,
                          std::span<const double> weights, Workers& workers) {
  std::vector<RowKey> keys(table.n);
  for_each_block(Blocks::light(static_cast<Index>(table.n)), workers,
                 [&](Index first, Index count, int /*worker*/) {
                   for (Index i = first; i < first + count; ++i)
                     keys[i] = {hash_of_row(table, i, labels[i]), static_cast<std::uint32_t>(i)};
                 });
  MergedSparse merged;
  merge_rows(
      keys, [&](std::uint32_t a, std::uint32_t b) { return compare_sparse(table, labels, a, b); },
      [&](std::uint32_t row) { return weights.empty() ? 1.0 : weights[row]; },
      [&](const RowKey& key, double weight, bool is_copy) {
        if (is_copy) {
          merged.weight.back() += weight;
        } else {
          merged.rows.push_back(key.row);
          merged.weight.push_back(weight);
        }
      });
  return merged;
}

}  // namespace induce::detail
