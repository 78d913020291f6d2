// Sums the contributions of blocks of rows in the order of a tree (row_tree.hpp), so that a sum is bitwise identical
// for any number of threads and owners.
//
// Leaves are tasks for the workers. The thread that finishes the second child adds the node at once, so few
// sums exist at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "rows/row_sum.hpp"
#include "rows/row_tree.hpp"

namespace induce::detail {

// A node of the tree.
struct Subtree {
  Index level = 0, node = 0;
};

// Where sums that are done wait for their siblings. Not thread-safe.
template <class Sum>
class WaitingSums {
 public:
  explicit WaitingSums(SumTree tree) : tree_(tree), waiting_(static_cast<std::size_t>(tree.levels() + 1)) {
    for (Index level = 0; level <= tree.levels(); ++level)
      waiting_[level].resize(static_cast<std::size_t>(tree.nodes(level)));
  }
  void clear() {
    for (auto& level : waiting_) std::fill(level.begin(), level.end(), nullptr);
  }

  // Moves up while there is no sibling to come. If the sibling is here, takes it out and returns it, and the subtree is
  // that of the node which is to be added. Otherwise the sum waits, and the result is null.
  Sum* arrive(Subtree& at, Sum* sum) {
    for (; at.level < tree_.levels(); ++at.level, at.node /= 2) {
      const Index sibling = at.node ^ 1;
      if (sibling < tree_.nodes(at.level)) {
        if (Sum* other = std::exchange(waiting_[at.level][sibling], nullptr)) return other;
        break;
      }
    }
    waiting_[at.level][at.node] = sum;
    return nullptr;
  }

  // Calls visit(subtree, sum) for all that wait: the largest complete subtrees, or only the root.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (Index level = 0; level < static_cast<Index>(waiting_.size()); ++level)
      for (Index node = 0; node < static_cast<Index>(waiting_[level].size()); ++node)
        if (Sum* sum = waiting_[level][node]) visit(Subtree{level, node}, *sum);
  }
  Sum* root() const { return waiting_.back().empty() ? nullptr : waiting_.back()[0]; }

 private:
  SumTree tree_;
  std::vector<std::vector<Sum*>> waiting_;  // by level and node
};

// Adds every node that is complete once this sum has arrived. All sums must outlive the waiting ones; some are changed.
template <class Sum>
void add_subtree(WaitingSums<Sum>& waiting, Subtree at, Sum& arrived) {
  Sum* sum = &arrived;
  while (Sum* other = waiting.arrive(at, sum)) {
    Sum *left = at.node % 2 == 0 ? sum : other, *right = at.node % 2 == 0 ? other : sum;
    *left += *right;
    sum = left;
    at = {at.level + 1, at.node / 2};
  }
}

template <Summable Sum>
class Reducer {
 public:
  Reducer(RowTree tree, Workers& workers) : tree_(std::move(tree)), workers_(workers), waiting_(tree_.sums) {
    sums_.resize(
        static_cast<std::size_t>(std::max<Index>(1, tree_.sums.max_sums(tree_.leaves(), workers.size()))));
    free_.reserve(sums_.size());
  }
  // All rows, in blocks of equal size.
  Reducer(const Blocks& blocks, Workers& workers)
      : Reducer(RowTree::over(Leaves::of(blocks.n), blocks.size), workers) {}

  // clear(sum) sets a sum to zero; visit(first_row, rows, worker, sum) adds one block to it. The result is the sum over
  // all rows, if all are here, and valid until the next call. Allocates only in the first call.
  template <class Clear, class Visit>
  Sum& add_up(const Clear& clear, const Visit& visit) {
    clear(sums_[0]);
    free_.clear();
    for (std::size_t k = sums_.size(); k-- > 0;) {
      sums_[k].resize_like(sums_[0]);
      free_.push_back(&sums_[k]);
    }
    waiting_.clear();
    std::atomic<Index> failed{tree_.leaves()};
    workers_.run(tree_.leaves(), [&](Index leaf, int worker) {
      // Later leaves would only add sums that wait for a sibling which never comes. Earlier ones decide which error is reported.
      if (leaf > failed) return;
      Sum* sum = take();
      try {
        clear(*sum);
        for (Index block = tree_.leaf_begin[leaf]; block < tree_.leaf_begin[leaf + 1]; ++block) {
          workers_.stop_point(worker);
          visit(tree_.first(block), tree_.rows(block), worker, *sum);
        }
      } catch (...) {
        give_back(sum, leaf, failed);
        throw;
      }
      finish({0, tree_.first_leaf + leaf}, sum);
    });
    Sum* root = waiting_.root();
    return root ? *root : sums_[0];
  }

  // After add_up: calls visit(subtree, sum) for the largest complete subtrees of the rows that are here.
  template <class Visit>
  void for_each_subtree(const Visit& visit) const {
    waiting_.for_each(visit);
  }
  const SumTree& sums() const { return tree_.sums; }

 private:
  Sum* take() {
    const std::lock_guard lock(mutex_);
    Sum* sum = free_.back();
    free_.pop_back();
    return sum;
  }

  void give_back(Sum* sum, Index leaf, std::atomic<Index>& failed) {
    const std::lock_guard lock(mutex_);
    free_.push_back(sum);
    failed = std::min(leaf, failed.load());
  }

  // Called when a leaf is done: adds every node that is now complete.
  void finish(Subtree at, Sum* sum) {
    std::unique_lock lock(mutex_);
    while (Sum* other = waiting_.arrive(at, sum)) {
      const bool is_left = at.node % 2 == 0;
      Sum *left = is_left ? sum : other, *right = is_left ? other : sum;
      lock.unlock();
      *left += *right;
      lock.lock();
      free_.push_back(right);
      sum = left;
      at = {at.level + 1, at.node / 2};
    }
  }

  RowTree tree_;
  Workers& workers_;
  std::mutex mutex_;  // guards the members below
  std::vector<Sum> sums_;
  std::vector<Sum*> free_;
  WaitingSums<Sum> waiting_;
};

// The sum of of_rows(first, count) over blocks of rows.
template <class OfRows>
double sum_over_rows(Index n, Workers& workers, const OfRows& of_rows) {
  Reducer<Totals<1>> reducer(Blocks::light(n), workers);
  return reducer.add_up(
      [](Totals<1>& sum) { sum.clear(); },
      [&](Index first, Index rows, int /*worker*/, Totals<1>& sum) { sum[0] += of_rows(first, rows); })[0];
}

}  // namespace induce::detail
