// The rows of a large table in an order of their own.
//
// Rows are ordered by a hash of their contents, and equal rows are one row with the sum of their weights
// (table/weighted_rows.hpp). So neither the order of the rows matters nor who read them. The leaves of the tree over the
// rows (rows/row_tree.hpp) are equal ranges of the hash: with 2^k leaves, the first k bits of the hash tell the leaf of a
// row, and rows can be divided among owners before all of them are known. The order is random with respect to the contents,
// so the first rows are a fair sample.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "linalg/types.hpp"
#include "rows/row_numbers.hpp"
#include "rows/row_source.hpp"
#include "table/column_ranges.hpp"
#include "table/feature_map.hpp"

namespace induce {

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

// What is known of all rows, not of a sample only.
struct FactsOfRows {
  Index rows = 0;                 // as they were read
  std::uint64_t identity = 0;     // of the contents, whatever their order
  std::vector<char> has_gaps{};   // per column: does any row have a missing value?
  Index most_gaps = 0;            // missing values of a row
  std::vector<Index> of_class{};  // rows of each class that have a weight
  ColumnRanges ranges{};          // of these rows

  Index with_weight() const { return std::accumulate(of_class.begin(), of_class.end(), Index{0}); }

  void include(const double* x, Index columns, int label, double weight, std::uint64_t hash);
  void include(const FactsOfRows& other);
};

class OrderedRows {
 public:
  virtual ~OrderedRows() = default;
  virtual const Leaves& leaves() const = 0;
  virtual Index columns() const = 0;
  // Of rows [first, first + rows) here: row-major cells, indices of classes, weights. Any may be null. Called
  // concurrently.
  virtual void read(Index first, Index rows, double* x, double* label, double* weight) const = 0;
  // How many of the user's rows each of these is. Called concurrently.
  virtual void read_copies(Index first, Index rows, double* copies) const = 0;
  // Where numbers of the rows can be kept.
  virtual std::unique_ptr<RowNumbers> room(Index rows, Index width) const {
    return std::make_unique<NumbersInMemory>(rows, width);
  }
  virtual bool in_memory() const { return true; }
  Index n() const { return leaves().rows(); }
};

// The rows in the units of a model.
class MappedRows final : public RowSource {
 public:
  MappedRows(const OrderedRows& rows, const FeatureMap& map) : rows_(rows), map_(map) {}
  Index n() const override { return rows_.n(); }
  Index d() const override { return map_.features(); }
  Leaves leaves() const override { return rows_.leaves(); }
  Index buffer(Index rows) const override { return rows * (rows_.columns() + map_.features()); }
  RowBlock block(Index first, Index rows, double* buffer) const override {
    double* features = buffer + rows * rows_.columns();
    rows_.read(first, rows, buffer, nullptr, nullptr);
    map_.apply(buffer, rows, features);
    return {first, rows, d(), features};
  }

 private:
  const OrderedRows& rows_;
  const FeatureMap& map_;
};

// The labels of the rows, as a bound takes them (site/targets.hpp), or their weights.
class NumbersOfRows final : public RowNumbers {
 public:
  enum class What { signs, classes, weights };
  NumbersOfRows(const OrderedRows& rows, What what) : RowNumbers(1), rows_(rows), what_(what) {}
  const double* read(Index first, Index rows, double* buffer) const override {
    if (what_ == What::weights) {
      rows_.read(first, rows, nullptr, nullptr, buffer);
      return buffer;
    }
    rows_.read(first, rows, nullptr, buffer, nullptr);
    if (what_ == What::signs)
      for (Index i = 0; i < rows; ++i) buffer[i] = buffer[i] == 1 ? 1 : -1;
    return buffer;
  }
  void write(Index /*first*/, Index /*rows*/, const double* /*numbers*/) override {}

 private:
  const OrderedRows& rows_;
  What what_;
};

// What a bound takes from the rows.
struct OrderedViews {
  OrderedViews(const OrderedRows& rows, FeatureMap of_model, bool many_classes)
      : map(std::move(of_model)),
        mapped(rows, map),
        labels(rows, many_classes ? NumbersOfRows::What::classes : NumbersOfRows::What::signs),
        weights(rows, NumbersOfRows::What::weights) {}

  FeatureMap map;
  MappedRows mapped;
  NumbersOfRows labels, weights;
};

}  // namespace induce
