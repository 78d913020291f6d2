// Feature maps. Oracles: their moments, their inverse, and the same data in other units.
#include <gtest/gtest.h>

#include <cmath>

#include "table/feature_map.hpp"
#include "linalg/random.hpp"

namespace induce {
namespace {

// Features: log-normal, normal far from zero, binary, constant.
RowMatrix table(Index n) {
  Random random(5);
  RowMatrix X(n, 4);
  for (Index i = 0; i < n; ++i)
    X.row(i) << std::exp(1.5 * random.normal()), 300 + 2 * random.normal(), double(random.uniform() < 0.1),
        7.0;
  return X;
}

MemoryStore rows_of(const RowMatrix& X) {
  return MemoryStore::as_it_is({X.data(), std::size_t(X.rows()), std::size_t(X.cols())});
}

double kurtosis(const Vector& x) {  // of a feature with mean 0 and variance 1; 3 for a normal
  return x.array().pow(4).mean();
}

TEST(FeatureMap, WarpsOnlyHeavyTails) {
  Workers workers(2);
  const RowMatrix X = table(3000);
  const FeatureMap map = FeatureMap::yeo_johnson(rows_of(X), workers);
  EXPECT_LT(map.exponent[0], 0.5);
  EXPECT_EQ(map.exponent[2], 1);
  EXPECT_EQ(map.exponent[3], 1);
  const RowMatrix warped = map.apply(rows_of(X).table(), workers);
  for (const Index f : {0, 1, 2}) {
    EXPECT_NEAR(warped.col(f).mean(), 0, 1e-10);
    EXPECT_NEAR(warped.col(f).squaredNorm() / 3000, 1, 1e-10);
  }
  const RowMatrix plain = FeatureMap::standardized(rows_of(X), workers).apply(rows_of(X).table(), workers);
  EXPECT_GT(kurtosis(plain.col(0)), 10);
  EXPECT_LT(kurtosis(warped.col(0)), 4);
}

// Column 0 is log-normal, column 1 only slightly skewed: both are warped, or the first alone.
TEST(FeatureMap, MayWarpHeavyTailsOnly) {
  Workers workers(1);
  Random random(9);
  RowMatrix X(2000, 2);
  for (Index i = 0; i < X.rows(); ++i) {
    const double skewed = random.normal();
    X.row(i) << std::exp(1.5 * random.normal()), std::exp(0.4 * skewed);
  }
  const FeatureMap all = FeatureMap::yeo_johnson(rows_of(X), workers);
  const FeatureMap tails = FeatureMap::yeo_johnson(rows_of(X), workers, FeatureMap::Warped::heavy_tails);
  EXPECT_EQ(all.warped_features(), 2);
  EXPECT_EQ(tails.warped_features(), 1);
  EXPECT_EQ(tails.exponent[0], all.exponent[0]);
  EXPECT_EQ(tails.exponent[1], 1);
}

TEST(FeatureMap, UndoRestoresTheUsersUnits) {
  Workers workers(1);
  const RowMatrix X = table(500);
  for (const FeatureMap& map :
       {FeatureMap::standardized(rows_of(X), workers), FeatureMap::centred(rows_of(X), workers),
        FeatureMap::yeo_johnson(rows_of(X), workers)}) {
    const RowMatrix back = map.undo(map.apply(rows_of(X).table(), workers));
    for (Index i = 0; i < X.size(); ++i)
      EXPECT_NEAR(back.data()[i], X.data()[i], 1e-8 * (1 + std::fabs(X.data()[i])));
  }
}

TEST(FeatureMap, UnitsDoNotMatter) {
  Workers workers(1);
  const RowMatrix X = table(800);
  RowMatrix other = X;
  other.col(0) *= 1e-9;
  other.col(1) *= 1e6;
  const FeatureMap a = FeatureMap::yeo_johnson(rows_of(X), workers),
                   b = FeatureMap::yeo_johnson(rows_of(other), workers);
  EXPECT_NEAR(a.exponent[0], b.exponent[0], 2e-3);
  EXPECT_NEAR(
      (a.apply(rows_of(X).table(), workers) - b.apply(rows_of(other).table(), workers)).cwiseAbs().maxCoeff(),
      0, 0.02);
}

TEST(FeatureMap, MapsSelectedRows) {
  Workers workers(2);
  const RowMatrix X = table(100);
  const FeatureMap map = FeatureMap::yeo_johnson(rows_of(X), workers);
  const RowMatrix all = map.apply(rows_of(X).table(), workers);
  const std::vector<Index> selected{3, 99, 0, 3};
  EXPECT_EQ(map.apply(rows_of(X).table(), selected, workers), RowMatrix(all(selected, Eigen::all)));
}

TEST(FeatureMap, ExtremeValuesStayFinite) {
  Workers workers(1);
  RowMatrix X = table(50);
  X(3, 0) = 1e150;
  X(4, 1) = -1e150;
  const FeatureMap map = FeatureMap::yeo_johnson(rows_of(X), workers);
  EXPECT_TRUE(map.apply(rows_of(X).table(), workers).allFinite());
  const double far[4] = {1e300, -1e300, 1e300, -1e300};
  double out[4];
  map.apply(far, 1, out);
  for (const double x : out) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace
}  // namespace induce
