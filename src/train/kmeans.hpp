// The starting inducing inputs: centres of k-means over a sample of the rows.
//
// k-means++ (Arthur and Vassilvitskii, 2007), then Lloyd's rounds until no row changes its centre, the
// inertia falls by less than 1e-4 of itself, or max_rounds is reached. A centre that loses all its rows moves
// to the row farthest from its own. The result depends on the seed but, to the bit, not on the number of
// threads.
#pragma once

#include <cstdint>

#include "linalg/types.hpp"
#include "rows/workers.hpp"

namespace induce {

struct KMeansOptions {
  std::uint64_t seed = 0;
  int max_rounds = 50;
  Index sample = 0;  // rows that take part, drawn without replacement; 0: max(20000, 50 m)
};

// The m x d centres. If the sample has fewer than m distinct rows they are the centres: the result then has
// fewer than m rows and the caller should say so. (Rows are distinct if their squared distance is not zero in
// double.) X must have rows and be finite, m be at least 1.
Matrix kmeans(const RowMatrix& X, Index m, Workers& workers, const KMeansOptions& options = {});

}  // namespace induce
