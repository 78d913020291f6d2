// Sparse rows as distances to a few of them.
//
// An isotropic kernel sees a row x only through its squared distances to the inducing inputs. If these are rows c_p of the
// table, the pool,
//   r2_p = |x - c_p|^2 = |x|^2 + |c_p|^2 - 2 x'c_p                            (P numbers instead of d)
// needs only columns where x is not zero: an index of the pool by column gives all x'c_p in one walk over the entries of x.
// Sums over columns are in increasing order everywhere, so a row of the pool has the distance 0 to itself, and distances
// within the pool are symmetric, to the last bit. Rounding may leave a negative number elsewhere: it becomes 0.
//
// The pool is drawn like the starts of k-means++: each member with probability proportional to weight times the squared
// distance to the nearest one before. So members are different rows, their order is from coarse to fine, and the first m
// of them serve m inducing inputs. Rows come in the order of a hash of their contents: the order of the table does not matter.
//
// Columns are not centred, which would fill the zeros. They are divided by their largest |x| if those are of different
// sizes: if they differ by more than a factor of 10 between the 5 % of all entries in the smallest columns and the 5 % in the
// largest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <induce/table.hpp>

#include "linalg/types.hpp"
#include "rows/sparse_rows.hpp"
#include "rows/workers.hpp"
#include "table/weighted_rows.hpp"

namespace induce {

class RowPool {
 public:
  // `rows` in the units of the model, without entries that are zero; `scales`: of each column, or empty.
  RowPool(SparseRows rows, std::vector<double> scales);

  // At most `most` rows; fewer if no others are different. `weighted` holds indices of table.
  static RowPool choose(const SparseView& table, const WeightedRows& weighted, Index most, bool may_scale,
                        std::uint64_t seed, Workers& workers);

  Index size() const { return static_cast<Index>(rows_.n()); }
  std::size_t columns() const { return rows_.d; }
  const SparseRows& rows() const { return rows_; }
  const std::vector<double>& scales() const { return scales_; }
  RowPool first(Index members) const;

  // P numbers for one row.
  void distances(const SparseView& table, std::size_t row, double* out) const;
  RowMatrix distances(const SparseView& table, std::span<const Index> rows, Workers& workers) const;
  Matrix own_distances() const;              // P x P
  std::vector<double> in_units_of_user() const;  // P x columns, row-major

 private:
  double scaled(const SparseView& table, std::int64_t entry) const;

  SparseRows rows_;
  std::vector<double> scales_;
  Vector norm_;  // |c_p|^2
  // By column: the members that are not zero there. Only columns with members are listed.
  std::vector<std::int32_t> column_;  // increasing
  std::vector<std::int64_t> start_;   // of each, and the end of the last
  std::vector<std::int32_t> member_;
  std::vector<double> value_;
};

// The mean squared distance between two rows in the units of the pool: 2 (mean of |x|^2 - |mean of x|^2).
double mean_squared_distance(const SparseView& table, const WeightedRows& weighted, const RowPool& pool);

}  // namespace induce
