// How n rows are cut: into blocks that fit the cache, and the blocks into lanes. A lane is one task
// for the workers and owns one set of sums; lanes are added in order. The cut depends on the problem
// only, never on the number of threads, so neither does any bit of a result.
#pragma once

#include <algorithm>

#include "linalg/types.hpp"

namespace induce {

struct Lanes {
  Index n = 0, block = 1, count = 1;

  // Blocks of m x block doubles fill about a megabyte. Up to 32 lanes share the work, fewer where their
  // m x m sums would take more than 256 MB together.
  static Lanes cut(Index n, Index m) {
    const Index fitting = std::clamp<Index>(131072 / std::max<Index>(m, 1) / 8 * 8, 256, 1024);
    const Index block = std::max<Index>(1, std::min(fitting, n));
    const Index blocks = (n + block - 1) / block;
    const Index room = std::max<Index>(1, (Index{256} << 20) / (8 * m * m + 1));
    return {n, block, std::max<Index>(1, std::min({Index{32}, room, blocks}))};
  }

  Index blocks() const { return (n + block - 1) / block; }

  // Calls visit(first_row, rows) for the blocks of one lane.
  template <class Visit>
  void each_block(Index lane, const Visit& visit) const {
    const Index last = blocks() * (lane + 1) / count;
    for (Index b = blocks() * lane / count; b < last; ++b) visit(b * block, std::min(block, n - b * block));
  }
};

}  // namespace induce
