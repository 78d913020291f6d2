// k-means. Oracles: brute force, structure known by construction, and runs with other numbers of threads.
#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <induce/error.hpp>

#include "train/kmeans.hpp"
#include "linalg/random.hpp"

namespace induce::test {
namespace {

Matrix kmeans(const RowMatrix& X, Index m, const KMeansOptions& options = {}) {
  Workers workers(1);
  return induce::kmeans(X, m, workers, options);
}

RowMatrix normal_table(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  RowMatrix X(n, d);
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = random.normal();
  return X;
}

Index nearest(const Matrix& centres, const RowMatrix& X, Index i) {
  Index best = 0;
  (centres.rowwise() - X.row(i)).rowwise().squaredNorm().minCoeff(&best);
  return best;
}

double inertia(const Matrix& centres, const RowMatrix& X) {
  double sum = 0;
  for (Index i = 0; i < X.rows(); ++i)
    sum += (centres.rowwise() - X.row(i)).rowwise().squaredNorm().minCoeff();
  return sum;
}

std::vector<std::vector<double>> sorted_rows(const Matrix& M) {
  std::vector<std::vector<double>> rows;
  for (Index i = 0; i < M.rows(); ++i) {
    rows.emplace_back();
    for (Index f = 0; f < M.cols(); ++f) rows.back().push_back(M(i, f));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// Oracle: the definition of a fixed point. On a small table the rounds end because no row changes its centre,
// so each centre is the mean of the rows that brute force says are nearest to it.
TEST(KMeans, EndsAtAFixedPoint) {
  const RowMatrix X = normal_table(60, 3, 1);
  const Matrix centres = kmeans(X, 5);
  ASSERT_EQ(centres.rows(), 5);
  ASSERT_EQ(centres.cols(), 3);
  Matrix sums = Matrix::Zero(5, 3);
  Vector sizes = Vector::Zero(5);
  for (Index i = 0; i < X.rows(); ++i) {
    const Index j = nearest(centres, X, i);
    sums.row(j) += X.row(i);
    ++sizes[j];
  }
  for (Index j = 0; j < 5; ++j) EXPECT_LT((sums.row(j) / sizes[j] - centres.row(j)).norm(), 1e-13);
}

// Well separated groups far from the origin, where products would cancel. Oracle: the construction.
TEST(KMeans, FindsSeparatedGroupsFarFromTheOrigin) {
  RowMatrix X = normal_table(400, 2, 2) * 1e-3;
  for (Index i = 0; i < X.rows(); ++i) X.row(i).array() += 1e8 + static_cast<double>(i % 4);
  const auto rows = sorted_rows(kmeans(X, 4));
  for (int group = 0; group < 4; ++group) EXPECT_NEAR(rows[group][0], 1e8 + group, 1e-3);
}

// Oracle: the mean of all rows.
TEST(KMeans, OneCentreIsTheMean) {
  const RowMatrix X = normal_table(100, 4, 3);
  EXPECT_LT((kmeans(X, 1) - X.colwise().mean()).norm(), 1e-13);
}

// Oracle: k-means++ alone (no rounds) has a larger inertia.
TEST(KMeans, RoundsImproveOnTheStart) {
  const RowMatrix X = normal_table(2000, 5, 4);
  KMeansOptions start_only;
  start_only.max_rounds = 0;
  const double start = inertia(kmeans(X, 40, start_only), X);
  const double end = inertia(kmeans(X, 40), X);
  EXPECT_LT(end, 0.9 * start);
}

TEST(KMeans, SameBitsForAnyNumberOfThreads) {
  const RowMatrix X = normal_table(3000, 7, 5);
  KMeansOptions options;
  options.sample = 2500;
  options.seed = 11;
  const Matrix one = kmeans(X, 37, options);
  for (const int threads : {2, 3, 8}) {
    Workers workers(threads);
    EXPECT_EQ(induce::kmeans(X, 37, workers, options), one) << threads;
  }
  options.seed = 12;
  EXPECT_NE(kmeans(X, 37, options), one);
}

// Oracle: the distinct rows themselves, bit for bit.
TEST(KMeans, FewerDistinctRowsThanCentres) {
  const RowMatrix distinct = normal_table(6, 2, 6);
  RowMatrix X(60, 2);
  for (Index i = 0; i < X.rows(); ++i) X.row(i) = distinct.row(i % 6);
  for (const Index m : {6, 7, 50}) EXPECT_EQ(sorted_rows(kmeans(X, m)), sorted_rows(distinct)) << m;
  EXPECT_EQ(kmeans(X, 5).rows(), 5);
  EXPECT_EQ(kmeans(RowMatrix::Ones(10, 3), 4), Matrix::Ones(1, 3));
  EXPECT_EQ(sorted_rows(kmeans(distinct, 6)), sorted_rows(distinct));
}

// With few distinct values, centres lose all their rows. Oracle: every centre is the nearest one to some row, and
// no two are equal.
TEST(KMeans, NoCentreStaysEmpty) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    RowMatrix X(200, 2);
    for (Index i = 0; i < X.size(); ++i) X.data()[i] = static_cast<double>(random.below(6));
    KMeansOptions options;
    options.seed = seed;
    const Matrix centres = kmeans(X, 20, options);
    ASSERT_EQ(centres.rows(), 20);
    std::set<Index> used;
    for (Index i = 0; i < X.rows(); ++i) used.insert(nearest(centres, X, i));
    EXPECT_EQ(used.size(), 20U) << seed;
  }
}

// Oracle: every sampled row is in the table, so with as many centres as sampled rows each centre is a row.
TEST(KMeans, SampleIsDrawnWithoutReplacement) {
  const RowMatrix X = normal_table(500, 2, 8);
  KMeansOptions options;
  options.sample = 50;
  const Matrix centres = kmeans(X, 50, options);
  ASSERT_EQ(centres.rows(), 50);
  const auto rows = sorted_rows(X);
  for (const auto& centre : sorted_rows(centres))
    EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), centre));
}

TEST(KMeans, RejectsInvalidArguments) {
  EXPECT_THROW(kmeans(RowMatrix::Ones(3, 1), 0), Error);
  EXPECT_THROW(kmeans(RowMatrix(0, 2), 1), Error);
}

}  // namespace
}  // namespace induce::test
