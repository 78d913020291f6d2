// Sums the contributions of blocks of rows in a fixed binary tree over the block numbers.
//
// A leaf of the tree is a run of 2^k consecutive blocks, summed in order; a node is the sum of its two
// children, left plus right. The tree depends only on the number of rows and the block size. So a sum is
// bitwise identical for any number of threads, and the owner of all rows of a subtree can sum it alone.
//
// Leaves are tasks for the workers. The thread that finishes the second child adds the node at once, so few
// sums exist at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <mutex>
#include <vector>

#include "rows/blocks.hpp"
#include "rows/row_sum.hpp"

namespace induce {

struct SumTree {
  Index blocks = 0;       // in total
  Index leaf_blocks = 1;  // per leaf, a power of two

  // 33 to 64 leaves if there are enough blocks: enough to keep threads busy, few enough to add cheaply. Large
  // data has more leaves, of 64 blocks each, so that it can be split into many parts.
  static SumTree over(const Blocks& blocks) {
    constexpr Index max_leaves = 64, max_leaf_blocks = 64;
    SumTree tree{.blocks = blocks.count()};
    while (tree.leaves() > max_leaves && tree.leaf_blocks < max_leaf_blocks) tree.leaf_blocks *= 2;
    return tree;
  }

  Index leaves() const { return (blocks + leaf_blocks - 1) / leaf_blocks; }
  Index levels() const { return std::bit_width(static_cast<std::size_t>(std::max<Index>(leaves(), 1) - 1)); }
  Index nodes(Index level) const { return (leaves() + (Index{1} << level) - 1) >> level; }
  // Upper bound on live sums: between two active leaves there are at most two finished nodes per level.
  Index max_sums(int threads) const { return std::min(leaves(), 2 * levels() * (threads + 1) + 2 * threads); }
  // The leaves at work, a node that each is being added to, and a finished node of each level.
  Index usual_sums(int threads) const { return std::min(leaves(), levels() + 2 * threads); }
};

template <Summable Sum>
class Reducer {
 public:
  Reducer(Blocks blocks, Workers& workers)
      : blocks_(blocks), tree_(SumTree::over(blocks)), workers_(workers) {
    sums_.resize(static_cast<std::size_t>(std::max<Index>(1, tree_.max_sums(workers.size()))));
    free_.reserve(sums_.size());
    finished_.resize(static_cast<std::size_t>(tree_.levels() + 1));
    for (Index level = 0; level <= tree_.levels(); ++level)
      finished_[level].resize(static_cast<std::size_t>(tree_.nodes(level)));
  }

  // clear(sum) sets a sum to zero; visit(first_row, rows, worker, sum) adds one block to it. The result is
  // valid until the next call. Allocates only in the first call.
  template <class Clear, class Visit>
  Sum& add_up(const Clear& clear, const Visit& visit) {
    clear(sums_[0]);
    free_.clear();
    for (std::size_t k = sums_.size(); k-- > 0;) {
      sums_[k].resize_like(sums_[0]);
      free_.push_back(&sums_[k]);
    }
    for (auto& level : finished_) std::fill(level.begin(), level.end(), nullptr);
    root_ = &sums_[0];
    workers_.run(tree_.leaves(), [&](Index leaf, int worker) {
      Sum* sum = take();
      clear(*sum);
      const Index end = std::min(tree_.blocks, (leaf + 1) * tree_.leaf_blocks);
      for (Index number = leaf * tree_.leaf_blocks; number < end; ++number) {
        workers_.stop_point(worker);
        visit(blocks_.first(number), blocks_.rows(number), worker, *sum);
      }
      finish(leaf, sum);
    });
    return *root_;
  }

 private:
  Sum* take() {
    const std::lock_guard lock(mutex_);
    Sum* sum = free_.back();
    free_.pop_back();
    return sum;
  }

  // Called when a leaf is done: adds every node that is now complete.
  void finish(Index leaf, Sum* sum) {
    std::unique_lock lock(mutex_);
    Index node = leaf;
    for (Index level = 0; level < tree_.levels(); ++level, node /= 2) {
      const Index sibling = node ^ 1;
      if (sibling >= tree_.nodes(level)) continue;  // a last node without a sibling is its parent
      Sum*& other = finished_[level][sibling];
      if (!other) {
        finished_[level][node] = sum;
        return;
      }
      Sum *left = node < sibling ? sum : other, *right = node < sibling ? other : sum;
      lock.unlock();
      *left += *right;
      lock.lock();
      free_.push_back(right);
      sum = left;
    }
    root_ = sum;
  }

  Blocks blocks_;
  SumTree tree_;
  Workers& workers_;
  std::mutex mutex_;  // guards the members below
  std::vector<Sum> sums_;
  std::vector<Sum*> free_;
  std::vector<std::vector<Sum*>> finished_;  // by level and node
  Sum* root_ = nullptr;
};

// The sum of of_rows(first, count) over blocks of rows.
template <class OfRows>
double sum_over_rows(Index n, Workers& workers, const OfRows& of_rows) {
  Reducer<Totals<1>> reducer(Blocks::light(n), workers);
  return reducer.add_up(
      [](Totals<1>& sum) { sum.clear(); },
      [&](Index first, Index rows, int /*worker*/, Totals<1>& sum) { sum[0] += of_rows(first, rows); })[0];
}

}  // namespace induce
