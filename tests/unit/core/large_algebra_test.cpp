// Oracles: LAPACK, by way of Eigen and blas.hpp, and the same bits on any number of threads.
#include "core/large_algebra.hpp"

#include <gtest/gtest.h>

#include "linalg/blas.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

using namespace detail;

Matrix positive_definite(Index n) {
  const Matrix A = random_matrix(3, n, n / 2);
  return Matrix::Identity(n, n) + A * A.transpose();
}

// Sizes of a part of a tile, of one tile, and of several with a part.
TEST(LargeAlgebra, IsThatOfLapack) {
  for (const Index n : {1, 7, 128, 129, 300, 389}) {
    SCOPED_TRACE(n);
    const Matrix B = positive_definite(n);
    Matrix L = B, want = B, D;
    ASSERT_TRUE(factor_by_tiles(L, Tasks()));
    ASSERT_TRUE(blas::cholesky(want));
    EXPECT_LT((Matrix(L.triangularView<Eigen::Lower>()) - want).norm(), 1e-12 * want.norm());
    complement_of_inverse_by_tiles(L, D, Tasks());
    blas::cholesky_to_inverse(want);
    EXPECT_LT((Matrix::Identity(n, n) - want - D).norm(), 1e-12 * static_cast<double>(n));
    EXPECT_TRUE(D == D.transpose());
  }
}

TEST(LargeAlgebra, SameBitsOnAnyNumberOfThreads) {
  const blas::SingleThreadedBlas single;
  const Matrix B = positive_definite(389);
  Matrix L = B, D;
  ASSERT_TRUE(factor_by_tiles(L, Tasks()));
  complement_of_inverse_by_tiles(L, D, Tasks());
  for (const int threads : {1, 2, 3}) {
    Workers workers(threads);
    Matrix own_L = B, own_D;
    ASSERT_TRUE(factor_by_tiles(own_L, Tasks(&workers)));
    complement_of_inverse_by_tiles(own_L, own_D, Tasks(&workers));
    EXPECT_TRUE(own_L == L);
    EXPECT_TRUE(own_D == D);
  }
}

TEST(LargeAlgebra, NotPositiveDefiniteIsReported) {
  Matrix B = positive_definite(200);
  B(150, 150) = -1;
  EXPECT_FALSE(factor_by_tiles(B, Tasks()));
}

}  // namespace
}  // namespace induce::testing
