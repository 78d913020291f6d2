// How n rows are cut into blocks, and the one loop over them.
//
// Blocks are numbered from the first row of the data to the last. The cut depends on the problem only, never on
// the number of threads, so neither does any bit of a result.
#pragma once

#include <algorithm>

#include "linalg/types.hpp"
#include "rows/workers.hpp"

namespace induce {

struct Blocks {
  Index n = 0, size = 1;  // rows, rows in a block (the last one may have fewer)

  // Blocks whose m x size doubles fill about a megabyte, so that they stay in the cache.
  static Blocks fit_cache(Index n, Index m) {
    const Index fitting = std::clamp<Index>(131072 / std::max<Index>(m, 1) / 8 * 8, 256, 1024);
    return {n, std::max<Index>(1, std::min(fitting, n))};
  }

  // Where little is done with each row.
  static Blocks light(Index n) { return {n, 1024}; }

  Index count() const { return (n + size - 1) / size; }
  Index first(Index number) const { return number * size; }
  Index rows(Index number) const { return std::min(size, n - number * size); }
};

// Calls visit(first_row, rows, worker) for every block, in parallel, each block after a stop point.
template <class Visit>
void for_each_block(const Blocks& blocks, Workers& workers, const Visit& visit) {
  workers.run(blocks.count(),
              [&](Index number, int worker) { visit(blocks.first(number), blocks.rows(number), worker); });
}

}  // namespace induce
