// The rows of a fit, wherever they are: in memory (memory_store.hpp) or in files (file_store.hpp).
//
// Rows are ordered by a hash of their contents, and rows with equal features and labels are one row with the sum of their
// weights: bounds, gradients and predictions stay the same, at lower cost. So neither the order of the rows matters nor who read
// them. The leaves of the tree over the rows (rows/row_tree.hpp) are equal ranges of the hash: with 2^k leaves, the first k bits
// of the hash tell the leaf of a row, and rows can be divided among owners before all of them are known. The order is random
// with respect to the contents.
//
// What is drawn at random, for a stage or to be held out, are the user's rows, never distinct ones: of ten equal rows, some
// may be held out and the others not. So a store knows how many of the user's rows each of its rows is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "linalg/types.hpp"
#include "rows/row_numbers.hpp"
#include "rows/row_tree.hpp"
#include "store/column_ranges.hpp"

namespace induce::detail {

// The number of leaves: a power of two, with at most 65,536 rows and 8 MB of cells in a mean leaf, and 64 at least.
inline Index leaves_by_hash(Index rows, Index columns) {
  const Index most = std::clamp<Index>((Index{1} << 20) / std::max<Index>(columns, 1), 1024, 65536);
  Index leaves = 64;
  while (rows > leaves * most) leaves *= 2;
  return leaves;
}
inline Index leaf_of_hash(std::uint64_t hash, Index leaves) {
  const int bits = std::countr_zero(static_cast<std::uint64_t>(leaves));
  return bits == 0 ? 0 : static_cast<Index>(hash >> (64 - bits));
}

// What is known of all rows, also if only a sample of them is at hand.
struct RowFacts {
  Index rows = 0;                   // as they were read
  std::uint64_t identity = 0;       // of the contents, whatever their order
  std::vector<char> has_gaps{};     // per column: does any row have a missing value?
  Index most_gaps = 0;              // missing values of a row
  std::vector<Index> class_rows{};  // rows of each class that have a weight
  ColumnRanges ranges{};            // of these rows

  Index with_weight() const { return std::accumulate(class_rows.begin(), class_rows.end(), Index{0}); }

  void include(const double* x, Index columns, int label, double weight, std::uint64_t hash);
  void include(const RowFacts& other);
};

class RowStore {
 public:
  virtual ~RowStore() = default;
  Index n() const { return leaves_.rows(); }
  Index columns() const { return columns_; }
  const Leaves& leaves() const { return leaves_; }
  const RowFacts& facts() const { return facts_; }

  // Row-major cells, indices of classes, weights, and how many of the user's rows each row is. Any may be null.
  struct Cells {
    double *x = nullptr, *label = nullptr, *weight = nullptr, *copies = nullptr;
  };
  // Reads rows [first, first + rows) of those here. Called concurrently.
  virtual void read(Index first, Index rows, const Cells& to) const = 0;

  // Where numbers of the rows can be kept.
  virtual std::unique_ptr<RowNumbers> room(Index rows, Index width) const {
    return std::make_unique<NumbersInMemory>(rows, width);
  }
  virtual bool in_memory() const { return true; }

 protected:
  explicit RowStore(Index columns) : columns_(columns) {}
  RowStore(RowStore&&) = default;
  RowStore& operator=(RowStore&&) = default;

  Index columns_;
  Leaves leaves_;
  RowFacts facts_;
};

}  // namespace induce::detail
