// Jitter: no more than needed, and the amount used is reported.
#include "linalg/jitter.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>
#include <limits>

#include "support/close.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

// Symmetric, with eigenvalues between 1 and 2 except for the smallest.
Matrix with_smallest_eigenvalue(double smallest) {
  const Index m = 8;
  const Matrix U = Eigen::HouseholderQR<Matrix>(random_matrix(5, m, m)).householderQ();
  Vector eigenvalues = Vector::LinSpaced(m, 1, 2);
  eigenvalues(0) = smallest;
  const Matrix A = U * eigenvalues.asDiagonal() * U.transpose();
  return (A + A.transpose()) / 2;
}

void expect_factor(const JitteredCholesky& got, const Matrix& K, double scale) {
  ASSERT_TRUE(got.ok);
  EXPECT_TRUE(got.L.isLowerTriangular(0));
  const Matrix want = K + got.jitter * scale * Matrix::Identity(K.rows(), K.rows());
  expect_close_matrix(got.L * got.L.transpose(), want, 1e-13, "L L'");
}

TEST(Jitter, AWellConditionedMatrixGetsTheInitialJitter) {
  const Matrix K = with_smallest_eigenvalue(0.5);
  for (const double first : {0.0, first_jitter, 1e-6}) {
    const JitteredCholesky got = jittered_cholesky(K, 3, first);
    expect_factor(got, K, 3);
    EXPECT_EQ(got.jitter, first);
  }
}

TEST(Jitter, GrowsByFactorsOfAHundredAndNoFurtherThanNeeded) {
  for (const double scale : {1.0, 4.0}) {
    for (const double needed : {1e-10, 1e-8, 1e-6, 1e-4, 1e-2}) {
      SCOPED_TRACE(needed);
      const Matrix K = with_smallest_eigenvalue(-needed * scale / 2);
      for (const double first : {0.0, first_jitter}) {
        const JitteredCholesky got = jittered_cholesky(K, scale, first);
        expect_factor(got, K, scale);
        EXPECT_NEAR(got.jitter, needed, 1e-12 * needed);
      }
    }
  }
}

TEST(Jitter, ASingularMatrixGetsMoreJitter) {
  const Matrix ones = Matrix::Ones(5, 5);
  const JitteredCholesky got = jittered_cholesky(ones, 1, 0);
  expect_factor(got, ones, 1);
  EXPECT_EQ(got.jitter, first_jitter);
}

TEST(Jitter, FailsBeyondTheLastJitter) {
  EXPECT_FALSE(jittered_cholesky(with_smallest_eigenvalue(-0.1), 1).ok);
  EXPECT_FALSE(jittered_cholesky(-Matrix::Identity(3, 3), 1).ok);
}

TEST(Jitter, FailsIfNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const Index at : {0, 2}) {
      Matrix K = Matrix::Identity(4, 4);
      K(2, at) = K(at, 2) = bad;
      EXPECT_FALSE(jittered_cholesky(K, 1).ok);
    }
  }
}

}  // namespace
}  // namespace induce::testing
