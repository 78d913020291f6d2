// Initial inducing inputs: the centres of k-means over a sample of the rows.
//
// k-means++ (Arthur and Vassilvitskii, 2007), then rounds of Lloyd's algorithm until no row changes its centre,
// the inertia falls by less than 1e-4 relative, or max_rounds is reached. A centre that loses all its rows moves
// to the row farthest from its own centre. The result depends on the seed but, bitwise, not on the number of
// threads.
#pragma once

#include <cstdint>

#include "linalg/types.hpp"
#include "machine/workers.hpp"

namespace induce::detail {

struct KMeansOptions {
  std::uint64_t seed = 0;
  int max_rounds = 50;
  Index sample = 0;  // number of rows, drawn without replacement; 0: max(20000, 50 m)
};

// The m x d centres. If the sample has fewer than m distinct rows, these are the centres: the result then has
// fewer than m rows, and the caller should report it. (Rows are distinct if their squared distance is not zero
// in double precision.) X must be finite and not empty, and m at least 1.
Matrix kmeans(const RowMatrix& X, Index m, Workers& workers, const KMeansOptions& options = {});

}  // namespace induce::detail
