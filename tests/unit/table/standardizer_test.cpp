// Checks the standardizer against exact rationals, and against its definition at extreme scales and offsets.
#include <cmath>

#include <gtest/gtest.h>

#include <induce/error.hpp>

#include "linalg/random.hpp"
#include "table/standardizer.hpp"

namespace induce::test {
namespace {

Standardizer fitted(TableView X) {
  Workers workers(2);
  return Standardizer::fit(MemoryStore::as_it_is(X), workers);
}

TableView view(const RowMatrix& X) {
  return {X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
}

// Oracle: Python's statistics.mean and statistics.pstdev (exact rationals, variance with 1/n like
// scikit-learn's StandardScaler):
//   from statistics import mean, pstdev
//   for c in ([1, 2, 4, 8.5], [-0.5, 10, 3, 3]): print(repr(mean(c)), repr(pstdev(c)))
TEST(Standardizer, SmallTable) {
  const RowMatrix X{{1, -0.5}, {2, 10}, {4, 3}, {8.5, 3}};
  const Standardizer s = fitted(view(X));
  EXPECT_DOUBLE_EQ(s.shift[0], 3.875);
  EXPECT_DOUBLE_EQ(s.scale[0], 2.8804296554507283);
  EXPECT_DOUBLE_EQ(s.shift[1], 3.875);
  EXPECT_DOUBLE_EQ(s.scale[1], 3.8140365755980894);
  EXPECT_TRUE(s.constant.empty());
  const RowMatrix Z = s.apply(view(X));
  EXPECT_DOUBLE_EQ(Z(3, 0), (8.5 - 3.875) / s.scale[0]);
  EXPECT_LT((s.undo(Z) - X).cwiseAbs().maxCoeff(), 1e-14);
}

// Oracle: the definition. Columns of apply have mean 0 and variance 1 up to rounding for any scale and
// offset.
TEST(Standardizer, ExtremeScalesAndOffsets) {
  const double scale[] = {1e-150, 1e-12, 1, 1e150, 1, 1e-3, 1e-300, 1e300};
  const double offset[] = {0, 0, 1e9, -1e150, -1e9, 1e9, 0, 0};
  const Index n = 5000, d = 8;
  Random random(5);
  RowMatrix X(n, d);
  for (Index i = 0; i < n; ++i)
    for (Index f = 0; f < d; ++f) X(i, f) = offset[f] + scale[f] * random.normal();
  const Standardizer s = fitted(view(X));
  EXPECT_TRUE(s.constant.empty());
  const RowMatrix Z = s.apply(view(X));
  for (Index f = 0; f < d; ++f) {
    const double offset_rounding = std::fabs(offset[f]) / scale[f] * 2.3e-16;
    EXPECT_NEAR(Z.col(f).mean(), 0, 1e-13 + offset_rounding) << f;
    EXPECT_NEAR(Z.col(f).squaredNorm() / static_cast<double>(n), 1, 1e-12 + offset_rounding * offset_rounding)
        << f;
    EXPECT_NEAR(s.scale[f] / scale[f], 1, 0.05) << f;
  }
}

// Oracle: a column and the same column shifted by exactly 1e9 (multiples of 1/8 stay exact) have the same
// scale.
TEST(Standardizer, OffsetDoesNotChangeScale) {
  Random random(6);
  RowMatrix X(1000, 2);
  for (Index i = 0; i < X.rows(); ++i) {
    X(i, 0) = static_cast<double>(random.below(100)) / 8;
    X(i, 1) = X(i, 0) + 1e9;
  }
  const Standardizer s = fitted(view(X));
  EXPECT_NEAR(s.scale[1], s.scale[0], 1e-13);
  EXPECT_NEAR(s.shift[1] - 1e9, s.shift[0], 2e-7);
}

TEST(Standardizer, ConstantFeatures) {
  const double almost = std::nextafter(0.1, 1.0);
  const RowMatrix X{{0.1, 1, 0, 0.1, 1e300}, {0.1, 2, 0, almost, 1e300}, {0.1, 3, 0, 0.1, 1e300}};
  const Standardizer s = fitted(view(X));
  EXPECT_EQ(s.constant, (std::vector<Index>{0, 2, 3, 4}));
  for (const Index f : s.constant) EXPECT_EQ(s.scale[f], 1);
  const RowMatrix Z = s.apply(view(X));
  EXPECT_TRUE(Z.col(0).isZero(0));
  EXPECT_TRUE(Z.col(2).isZero(0));
  EXPECT_TRUE(Z.col(4).isZero(0));
}

TEST(Standardizer, OneRow) {
  const RowMatrix X{{1, 2}};
  EXPECT_EQ(fitted(view(X)).constant.size(), 2U);
}

TEST(Standardizer, IdentityBlocksAndRows) {
  const RowMatrix X{{1, 2}, {3, -4}};
  EXPECT_EQ(Standardizer::identity(2).apply(view(X)), X);
  const Standardizer s = fitted(view(X));
  const RowMatrix Z = s.apply(view(X));
  RowMatrix block(2, 2), row(1, 2);
  s.apply(X.data(), 2, block.data());
  EXPECT_EQ(block, Z);
  s.apply_row(X.row(1).data(), row.data());
  EXPECT_EQ(row, Z.row(1));
}

TEST(Standardizer, RejectsMismatchedTables) {
  const RowMatrix X{{1, 2}, {3, -4}};
  const Standardizer s = Standardizer::identity(3);
  EXPECT_THROW(s.apply(view(X)), Error);
  EXPECT_THROW(s.undo(X), Error);
  EXPECT_THROW(fitted(TableView{X.data(), 0, 2}), Error);
}

}  // namespace
}  // namespace induce::test
