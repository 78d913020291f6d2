// Caches K and V of the first blocks of rows between the halves of a pass and between rounds of sites. While
// theta and Z stay the same, K and V are computed once. Results are bitwise the same with or without the cache.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "linalg/types.hpp"

namespace induce::detail {

class BlockCache {
 public:
  // Holds K and V (m x block_rows each) of as many of the blocks as fit into `memory` bytes.
  BlockCache(Index blocks, Index block_rows, Index m, std::size_t memory)
      : size_(m * block_rows),
        count_(size_ ? std::min(blocks, static_cast<Index>(memory / (2 * sizeof(double) * size_))) : 0),
        frame_ids_(static_cast<std::size_t>(count_), 0) {
    if (count_ > 0) arrays_.reset(new double[bytes() / sizeof(double)]);
  }

  std::size_t bytes() const { return 2 * sizeof(double) * size_ * count_; }
  bool keeps(Index block) const { return block < count_; }
  double* K(Index block) const { return arrays_.get() + 2 * block * size_; }
  double* V(Index block) const { return K(block) + size_; }

  // Whether K and V of a cached block belong to this frame.
  bool holds(Index block, long frame_id) const { return frame_ids_[block] == frame_id; }
  void filled(Index block, long frame_id) { frame_ids_[block] = frame_id; }

 private:
  Index size_, count_;
  std::unique_ptr<double[]> arrays_;
  std::vector<long> frame_ids_;
};

}  // namespace induce::detail
