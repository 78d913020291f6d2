// Adds what the blocks of rows contribute, in an order that depends on the problem only.
//
// Neighbouring blocks form a lane, which is one task for the workers and owns one sum; a lane adds its blocks
// in their order, and the lanes are added in theirs. So the sum has the same bits for any number of threads.
#pragma once

#include <vector>

#include "rows/blocks.hpp"
#include "rows/row_sum.hpp"

namespace induce {

// Up to 32 lanes share the work, fewer where sums of `doubles` numbers would take more than 256 MB together.
inline Index lanes_for(const Blocks& blocks, Index doubles) {
  const Index room = std::max<Index>(1, (Index{256} << 20) / (8 * doubles + 1));
  return std::max<Index>(1, std::min({Index{32}, room, blocks.count()}));
}

template <AddsUp Sum>
class Reducer {
 public:
  Reducer(Blocks blocks, Index lanes, Workers& workers)
      : blocks_(blocks), workers_(workers), lanes_(static_cast<std::size_t>(lanes)) {}

  const Blocks& blocks() const { return blocks_; }

  // clear(sum) sets a sum to zero; visit(first_row, rows, worker, sum) adds one block to it. The result stays
  // until the next call. Nothing is allocated here after the first call.
  template <class Clear, class Visit>
  Sum& add_up(const Clear& clear, const Visit& visit) {
    const Index lanes = static_cast<Index>(lanes_.size()), count = blocks_.count();
    workers_.run(lanes, [&](Index lane, int worker) {
      Sum& sum = lanes_[lane];
      clear(sum);
      for (Index number = count * lane / lanes; number < count * (lane + 1) / lanes; ++number) {
        workers_.stop_point(worker);
        visit(blocks_.first(number), blocks_.rows(number), worker, sum);
      }
    });
    total_ = lanes_[0];
    for (Index lane = 1; lane < lanes; ++lane) total_ += lanes_[lane];
    return total_;
  }

 private:
  Blocks blocks_;
  Workers& workers_;
  std::vector<Sum> lanes_;
  Sum total_;
};

}  // namespace induce
