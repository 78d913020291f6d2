// Splits n rows into blocks and loops over them.
//
// Blocks are numbered in row order. The split depends only on the problem size, never on the number of
// threads, so results are bitwise identical for any number of threads.
#pragma once

#include <algorithm>

#include "linalg/types.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

struct Blocks {
  Index n = 0, size = 1;  // rows, rows per block (the last may have fewer)

  static constexpr Index largest = 1024;  // rows of a block, everywhere
  // Rows per block so that m x rows doubles are about one megabyte and stay in cache.
  static Index rows_in_cache(Index m) {
    return std::clamp<Index>(131072 / std::max<Index>(m, 1) / 8 * 8, 256, largest);
  }

  // For loops that do little work per row.
  static Blocks light(Index n) { return {n, largest}; }

  Index count() const { return (n + size - 1) / size; }
  Index first(Index number) const { return number * size; }
  Index rows(Index number) const { return std::min(size, n - number * size); }
};

// Calls visit(first_row, rows, worker) for every block, in parallel, with a stop point before each.
template <class Visit>
void for_each_block(const Blocks& blocks, Workers& workers, const Visit& visit) {
  workers.run(blocks.count(),
              [&](Index number, int worker) { visit(blocks.first(number), blocks.rows(number), worker); });
}

}  // namespace induce::detail
