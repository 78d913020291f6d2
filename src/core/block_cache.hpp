// Caches K and V of the first blocks of rows between the halves of a pass and between rounds of sites. While
// theta and Z stay the same, K and V are computed once. Results are bitwise the same with or without the cache.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "linalg/types.hpp"
#include "rows/blocks.hpp"

namespace induce {

enum class Precision { full, mixed };  // mixed: V in single precision (pass.hpp)

// Bytes of K and V of one row and one inducing input.
constexpr std::size_t cached_bytes(Precision precision) {
  return sizeof(double) + (precision == Precision::full ? sizeof(double) : sizeof(float));
}

class BlockCache {
 public:
  // Holds K and V (m x block each) of as many blocks as fit into `memory` bytes.
  BlockCache(const Blocks& blocks, Index m, std::size_t memory, Precision precision)
      : size_(m * blocks.size),
        block_bytes_(cached_bytes(precision) * size_),
        count_(std::min(blocks.count(), static_cast<Index>(memory / block_bytes_))),
        frame_ids_(static_cast<std::size_t>(count_), 0) {
    if (count_ == 0) return;
    K_.reset(new double[count_ * size_]);
    if (precision == Precision::full)
      V_.reset(new double[count_ * size_]);
    else
      V_single_.reset(new float[count_ * size_]);
  }

  std::size_t bytes() const { return block_bytes_ * count_; }
  bool keeps(Index block) const { return block < count_; }
  double* K(Index block) const { return K_.get() + block * size_; }
  double* V(Index block) const { return V_.get() + block * size_; }               // full
  float* V_single(Index block) const { return V_single_.get() + block * size_; }  // mixed

  // Whether K and V of a cached block belong to this frame.
  bool holds(Index block, long frame_id) const { return frame_ids_[block] == frame_id; }
  void filled(Index block, long frame_id) { frame_ids_[block] = frame_id; }

 private:
  Index size_;
  std::size_t block_bytes_;
  Index count_;
  std::unique_ptr<double[]> K_, V_;
  std::unique_ptr<float[]> V_single_;
  std::vector<long> frame_ids_;
};

}  // namespace induce
