// Directions in which the rows of a wide sparse table differ, and in which its classes differ.
//
// A kernel of all columns is of no use there: most columns say nothing about a row, so no few inducing inputs explain much of
// a row's variance, and the bound prefers a model without signal (docs/decisions.md has the figures). A few linear features
// z = W'x keep what matters, and z is an ordinary dense table, with length-scales, warps and learned inducing inputs. The
// columns of W are
//   1. the first q0 = 30 right singular vectors of X: topics, clusters, groups of columns that go together. Found by
//      subspace iteration, W <- orthonormal(X'D X W) with row weights D, from a random start: six times;
//   2. for each class (one for two classes), the slopes b of a logistic regression of the class against the others,
//        sum_i w_i log(1 + exp(-y_i (a + b'x_i))) + |b|^2 / (2 C),     C one of 1, 10, 100.
// Slopes follow the noise of the rows that they were fitted to. So there are five fits, each without a fifth of the rows, the
// fold; a training row gets the score of the fit without it, later rows that of the mean of all b. Which fold a row is in depends
// on a hash of its contents, and so does the order of all sums: the order of the table does not matter. C has the lowest loss on
// the first fold.
//
// Columns are not centred, which would fill the zeros. They are divided by their largest |x| if those differ by more than a
// factor of 10 between the 5 % of all entries in the smallest columns and the 5 % in the largest; the scales go into W.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "linalg/types.hpp"
#include "machine/workers.hpp"
#include "table/projection.hpp"

namespace induce::detail {

struct ProjectedRows {
  std::shared_ptr<const Projection> projection;
  RowMatrix Z;  // of all rows: the scores of one that has a weight are those of the fit without it
};

// `must_end`: asked often; once it is true, the directions stay as they are then.
ProjectedRows project_rows(
    const SparseView& table, std::span<const int> labels, std::size_t classes,
    std::span<const double> weights, bool may_scale, std::uint64_t seed, Workers& workers,
    const std::function<bool()>& must_end = [] { return false; });

}  // namespace induce::detail
