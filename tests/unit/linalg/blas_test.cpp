// Shapes and storage orders of the BLAS calls. Oracle: the same products in Eigen.
#include "linalg/blas.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/close.hpp"
#include "support/random_problem.hpp"

namespace induce::testing {
namespace {

constexpr double tolerance = 1e-12;
constexpr Index m = 7, b = 11, d = 3;

TEST(Blas, TriangularSolves) {
  Matrix L = random_matrix(1, m, m);
  L.diagonal().array() += 5;
  const Matrix lower = L.triangularView<Eigen::Lower>(), V = random_matrix(2, m, b);
  Matrix got = V;
  blas::solve_lower(L, got.data(), b);
  expect_close_matrix(lower * got, V, tolerance, "L^-1 V");
  got = V;
  blas::solve_lower_transposed(L, got.data(), b);
  expect_close_matrix(lower.transpose() * got, V, tolerance, "L^-T V");
}

// A factor as ill-conditioned as those of the fits: a smooth kernel on a line, with a jitter of 1e-8. The residual must
// be as small as that of the triangular solve.
TEST(Blas, SolvesByProductsAloneAsAccurately) {
  for (const Index size : {1, 31, 32, 33, 64, 100, 200}) {
    Matrix L(size, size);
    for (Index i = 0; i < size; ++i)
      for (Index j = 0; j < size; ++j) {
        const double apart = 3.0 * static_cast<double>(i - j) / static_cast<double>(size);
        L(i, j) = std::exp(-apart * apart / 2) + (i == j ? 1e-8 : 0);
      }
    ASSERT_TRUE(blas::cholesky(L));
    const Matrix K = random_matrix(2, size, b);
    Matrix textbook = K, got = Matrix::Constant(size, b, 9);
    blas::solve_lower(L, textbook.data(), b);
    const Matrix W = blas::solver_of_lower(L);
    blas::solve_with(W, K.data(), got.data(), b);
    const double scale = got.cwiseAbs().maxCoeff();
    expect_close_matrix(L * got / scale, K / scale, 1e-14 * static_cast<double>(size), "L^-1 K");
    expect_close_matrix(got / scale, textbook / scale, 1e-9, "both ways");
  }
}

TEST(Blas, Products) {
  const Matrix V = random_matrix(1, m, b), start = random_matrix(2, m, m);
  Matrix Q = start;
  blas::add_outer_lower(V.data(), m, b, Q.data());
  Matrix want = start + V * V.transpose();
  want.triangularView<Eigen::StrictlyUpper>() = start;
  expect_close_matrix(Q, want, tolerance, "Q += V V'");
  blas::mirror_lower(Q);
  expect_close_matrix(Q, Q.transpose(), 0, "mirrored");

  const Matrix A = random_matrix(3, 4, m);
  Matrix C(4, b);
  blas::multiply(A, V.data(), b, C.data());
  expect_close_matrix(C, A * V, tolerance, "A V");

  const RowMatrix X = random_matrix(4, b, d);
  Matrix U = random_matrix(5, m, d);
  const Matrix U_want = U + V * X;
  blas::add_times_rows(V.data(), m, b, X.data(), d, U.data());
  expect_close_matrix(U, U_want, tolerance, "U += V X");

  const Vector x = random_matrix(6, b, 1), z = random_matrix(7, m, 1);
  Vector y = z, u(b);
  blas::add_times_vector(V.data(), m, b, x.data(), y.data());
  expect_close(y, z + V * x, tolerance, "y += V x");
  blas::transposed_times_vector(V.data(), m, b, z.data(), u.data());
  expect_close(u, V.transpose() * z, tolerance, "V' z");
}

TEST(Blas, CholeskyReadsTheLowerTriangleOnly) {
  const Matrix R = random_matrix(1, m, m), A = R * R.transpose() + Matrix::Identity(m, m);
  Matrix L = A;
  L.triangularView<Eigen::StrictlyUpper>().setConstant(77);
  ASSERT_TRUE(blas::cholesky(L));
  EXPECT_TRUE(L.isLowerTriangular(0));
  expect_close_matrix(L * L.transpose(), A, tolerance, "L L'");
  blas::cholesky_to_inverse(L);
  expect_close_matrix(L * A, Matrix::Identity(m, m), tolerance, "inverse");
  Matrix indefinite = -A;
  EXPECT_FALSE(blas::cholesky(indefinite));
}

TEST(Blas, SingleThreadedWhileAGuardExists) {
  const int original = blas::threads();
  blas::set_threads(2);
  {
    const blas::SingleThreadedBlas outer;
    EXPECT_EQ(blas::threads(), 1);
    { const blas::SingleThreadedBlas inner; }
    EXPECT_EQ(blas::threads(), 1);
  }
  EXPECT_EQ(blas::threads(), 2);
  blas::set_threads(original);
}

}  // namespace
}  // namespace induce::testing
