// The limited-memory matrix. Oracle: the BFGS formula, pair by pair, on a dense matrix that starts at theta I.
#include "optim/curvature.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/close.hpp"

namespace induce::testing {
namespace {

constexpr Index dimension = 7;
constexpr int most_pairs = 3;

struct Steps {
  std::vector<Vector> s, y;
};

// Along a quadratic whose curvatures are 1 to 64.
Steps steps(int count) {
  Steps made;
  for (int k = 0; k < count; ++k) {
    Vector s(dimension), y(dimension);
    for (Index i = 0; i < dimension; ++i) {
      s[i] = std::sin(1.0 + 3 * k + 2.3 * static_cast<double>(i));
      y[i] = std::pow(2.0, static_cast<double>(i)) * s[i];
    }
    made.s.push_back(s);
    made.y.push_back(y);
  }
  return made;
}

Matrix dense(const Steps& all) {
  const std::size_t used = std::min<std::size_t>(all.s.size(), most_pairs);
  const Vector &last_s = all.s.back(), &last_y = all.y.back();
  Matrix B = last_y.squaredNorm() / last_s.dot(last_y) * Matrix::Identity(dimension, dimension);
  for (std::size_t k = all.s.size() - used; k < all.s.size(); ++k) {
    const Vector &s = all.s[k], &y = all.y[k], Bs = B * s;
    B += -Bs * Bs.transpose() / s.dot(Bs) + y * y.transpose() / s.dot(y);
  }
  return B;
}

Curvature curvature(const Steps& all) {
  Curvature B(most_pairs);
  for (std::size_t k = 0; k < all.s.size(); ++k) B.add(all.s[k], all.y[k]);
  return B;
}

TEST(Curvature, IsTheBfgsMatrixOfTheLastPairs) {
  for (const int count : {1, 2, 3, 5}) {
    SCOPED_TRACE(count);
    const Steps all = steps(count);
    const Curvature B = curvature(all);
    const Matrix expected = dense(all);
    for (Index i = 0; i < dimension; ++i) {
      const Vector e = Vector::Unit(dimension, i);
      expect_close(B.theta() * e - B.W_times(B.M() * B.Wt_times(e)), expected.col(i), 1e-10, "column");
      expect_close(B.row(i), B.Wt_times(e), 1e-15, "row of W");
    }
  }
}

TEST(Curvature, SolvesInTheFreeVariables) {
  const Steps all = steps(5);
  const Curvature B = curvature(all);
  const Matrix expected = dense(all);
  for (const std::vector<Index>& active : {std::vector<Index>{}, {2}, {0, 3, 6}, {0, 1, 2, 4, 5, 6}}) {
    Matrix block = expected;
    Vector r = Vector::LinSpaced(dimension, -1, 2);
    for (const Index i : active) {
      block.row(i) = Vector::Unit(dimension, i).transpose();
      block.col(i) = Vector::Unit(dimension, i);
      r[i] = 0;
    }
    const Curvature::Middle N = B.N(active);
    ASSERT_TRUE(N.ok());
    Vector got = (r + B.W_times(N * B.Wt_times(r)) / B.theta()) / B.theta();
    for (const Index i : active) got[i] = 0;
    expect_close(got, block.partialPivLu().solve(r), 1e-9, "solution");
  }
}

TEST(Curvature, ForgetsEverything) {
  Curvature B = curvature(steps(4));
  B.clear();
  EXPECT_TRUE(B.empty());
  EXPECT_EQ(B.theta(), 1);
  EXPECT_EQ(B.Wt_times(Vector::Ones(dimension)).size(), 0);
}

}  // namespace
}  // namespace induce::testing
