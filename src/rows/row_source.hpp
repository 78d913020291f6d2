// Sources of rows. A source provides blocks of rows in the model's units, regardless of where they are
// stored.
//
// To add a source (sparse rows, a file, rows on another machine), derive from RowSource. Block iteration and
// summation work with any source.
#pragma once

#include <induce/table.hpp>

#include "linalg/types.hpp"
#include "rows/row_tree.hpp"

namespace induce::detail {

struct RowBlock {
  Index first = 0, rows = 0, d = 0;
  const double* x = nullptr;  // rows x d, row-major
};

class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual Index n() const = 0;
  virtual Index d() const = 0;
  // Which leaves of the tree over all rows these are.
  virtual Leaves leaves() const { return Leaves::of(n()); }
  // Buffer size, in doubles, that block() needs for `rows` rows.
  virtual Index buffer(Index rows) const = 0;
  // Called concurrently, with one buffer per thread. The block is valid until the buffer is used again.
  virtual RowBlock block(Index first, Index rows, double* buffer) const = 0;
};

// A table in memory. Not copied: it must outlive the source.
class DenseRows final : public RowSource {
 public:
  explicit DenseRows(TableView X) : X_(X) {}
  // `leaf_rows`: of the tree; 0: as usual.
  explicit DenseRows(const RowMatrix& X, Index leaf_rows = 0)
      : X_{X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())},
        leaf_rows_(leaf_rows) {}

  Index n() const override { return static_cast<Index>(X_.n); }
  Index d() const override { return static_cast<Index>(X_.d); }
  Leaves leaves() const override { return leaf_rows_ > 0 ? Leaves::equal(n(), leaf_rows_) : Leaves::of(n()); }
  Index buffer(Index /*rows*/) const override { return 0; }
  RowBlock block(Index first, Index rows, double* /*buffer*/) const override {
    return {first, rows, d(), X_.row(static_cast<std::size_t>(first))};
  }

 private:
  TableView X_;
  Index leaf_rows_ = 0;
};

}  // namespace induce::detail
