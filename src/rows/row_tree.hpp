// The tree in which sums over rows are added.
//
// Rows are divided into leaves, and leaves into blocks. The blocks of a leaf are summed in order; a node is the sum of
// its two children, left plus right; a last node without a sibling is its parent. The leaves depend only on the rows,
// never on threads, memory or the place where a row is. So a sum has the same bits wherever its rows are: the owner of
// consecutive leaves sums the largest complete subtrees among them, and whoever has the subtrees of all owners
// finishes the tree.
//
// A large sum costs more to clear and add than the rows of a leaf cost. Such sums are those of groups of neighbouring leaves,
// whose blocks are summed in order as well. The owner of rows has whole groups.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "rows/blocks.hpp"

namespace induce::detail {

// The nodes above the leaves.
struct SumTree {
  Index leaves = 0;

  Index levels() const { return std::bit_width(static_cast<std::size_t>(std::max<Index>(leaves, 1) - 1)); }
  Index nodes(Index level) const { return (leaves + (Index{1} << level) - 1) >> level; }
  // Upper bound on live sums of `here` consecutive leaves: between two active leaves there are at most two finished
  // nodes per level, and two more per level have their sibling elsewhere.
  Index max_sums(Index here, int threads) const {
    return std::min(here, 2 * levels() * (threads + 2) + 2 * threads);
  }
  // The leaves at work, a node that each is being added to, and a finished node of each level.
  Index usual_sums(int threads) const { return std::min(leaves, levels() + 2 * threads); }
};

// The leaves of the rows that are here.
struct Leaves {
  Index total = 0;              // of all rows, wherever they are
  Index first = 0;              // the first one here
  std::vector<Index> begin{0};  // the first row of each leaf here, counted here, and the number of rows

  Index count() const { return static_cast<Index>(begin.size()) - 1; }
  Index rows() const { return begin.back(); }

  // Rows per leaf if n rows have leaves of equal size: 33 to 64 leaves if there are enough rows, which keeps threads
  // busy and adds cheaply, and about `few` if a leaf would have less than `usual` rows. Large data has more leaves, so that
  // it can be split into many parts.
  static Index size(Index n) {
    constexpr Index most_leaves = 64, few = 8, least = 64, usual = 512, most = 65536;
    Index size = std::clamp((n + 8 * few - 1) / (8 * few) * 8, least, usual);
    while (size < most && n > most_leaves * size) size *= 2;
    return size;
  }
  // Leaves of a group, if so many leaves have all rows. Two threads still find eight groups each.
  static Index group(Index leaves) { return leaves > 32 ? 4 : leaves > 16 ? 2 : 1; }
  // All rows, in leaves of this size.
  static Leaves equal(Index n, Index size) {
    Leaves leaves{.total = (n + size - 1) / size, .first = 0, .begin = {0}};
    while (leaves.begin.back() < n) leaves.begin.push_back(std::min(n, leaves.begin.back() + size));
    return leaves;
  }
  static Leaves of(Index n) {
    const Index leaves = (n + size(n) - 1) / size(n);
    return part(n, 0, leaves);
  }
  // `count` leaves of n rows, from the first one on.
  static Leaves part(Index n, Index first, Index count) {
    Leaves leaves{.total = (n + size(n) - 1) / size(n), .first = first, .begin = {0}};
    for (Index leaf = first + 1; leaf <= first + count; ++leaf)
      leaves.begin.push_back(std::min(n, leaf * size(n)) - first * size(n));
    return leaves;
  }
};

// The blocks of the leaves, or groups of leaves, that are here.
struct RowTree {
  SumTree sums;
  Index first_leaf = 0;
  std::vector<Index> leaf_begin;   // the first block of each leaf here, and the number of blocks
  std::vector<Index> block_begin;  // the first row of each block, and the number of rows

  Index leaves() const { return static_cast<Index>(leaf_begin.size()) - 1; }
  Index blocks() const { return static_cast<Index>(block_begin.size()) - 1; }
  Index first(Index block) const { return block_begin[block]; }
  Index rows(Index block) const { return block_begin[block + 1] - block_begin[block]; }
  Index most_rows() const {  // of a block, at least 1
    Index most = 1;
    for (Index block = 0; block < blocks(); ++block) most = std::max(most, rows(block));
    return most;
  }
  // The number of the block that begins with this row.
  Index number(Index first_row) const {
    return std::lower_bound(block_begin.begin(), block_begin.end(), first_row) - block_begin.begin();
  }

  // `group`: so many leaves of the rows are one of the tree. Blocks end with the smaller ones.
  static RowTree over(const Leaves& leaves, Index block_rows, Index group = 1) {
    RowTree tree{{(leaves.total + group - 1) / group}, leaves.first / group, {0}, {0}};
    for (Index leaf = 0; leaf < leaves.count(); ++leaf) {
      for (Index row = leaves.begin[leaf]; row < leaves.begin[leaf + 1];) {
        row = std::min(row + block_rows, leaves.begin[leaf + 1]);
        tree.block_begin.push_back(row);
      }
      const bool ends = (leaf + 1) % group == 0 || leaf + 1 == leaves.count();
      if (ends) tree.leaf_begin.push_back(tree.blocks());
    }
    return tree;
  }
};

}  // namespace induce::detail
