// Equal rows of a sparse table. An entry that is 0 and one that is left out are the same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <induce/table.hpp>

#include "linalg/types.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

std::uint64_t hash_of_row(const SparseView& table, Index row, int label = 0);

struct MergedSparse {
  std::vector<std::size_t> rows;  // the first of each kind
  std::vector<double> weight;     // of all of its kind
};

// Rows in the order of their hashes, without those of weight 0. Empty weights: all 1.
MergedSparse merge_sparse(const SparseView& table, std::span<const int> labels,
                          std::span<const double> weights, Workers& workers);

}  // namespace induce::detail
