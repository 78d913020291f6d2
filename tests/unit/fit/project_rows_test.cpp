// Linear features of sparse tables. Oracles: the singular value decomposition of the table with its zeros, and what a score may
// depend on.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>

#include "fit/project_rows.hpp"
#include "rows/sparse_rows.hpp"
#include "linalg/random.hpp"

namespace induce::testing {
namespace {

struct Wide {
  SparseRows rows;
  std::vector<int> y;
};

// Six kinds of rows with ten columns each, and others at random.
Wide wide_table(std::size_t n, std::size_t d, double last_column = 1) {
  Random random(2);
  Wide made;
  made.rows.d = d;
  std::vector<double> row(d);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    const std::size_t kind = random.below(6);
    for (int k = 0; k < 6; ++k) row[10 * kind + random.below(10)] += 1;
    for (int k = 0; k < 2; ++k) row[random.below(d)] += 1 + random.uniform();
    for (std::size_t f = d / 2; f < d; ++f) row[f] *= last_column;
    made.rows.add_dense(row.data());
    made.y.push_back(kind < 3 ? random.below(10) > 0 : random.below(10) == 0);
  }
  return made;
}

RowMatrix dense_of(const SparseRows& rows) {
  RowMatrix X(static_cast<Index>(rows.n()), static_cast<Index>(rows.d));
  write_dense(rows.view(), 0, rows.n(), X.data());
  return X;
}

TEST(ProjectRows, FirstDirectionsAreSingularVectors) {
  Workers workers(2);
  const Wide table = wide_table(400, 120);
  const ProjectedRows projected = project_rows(table.rows.view(), table.y, 2, {}, true, 1, workers);
  const Projection& projection = *projected.projection;
  EXPECT_EQ(projection.width, 120U);
  ASSERT_EQ(projection.features(), 31);
  const RowMatrix X = dense_of(table.rows);
  RowMatrix W = RowMatrix::Zero(120, 31);
  for (std::size_t k = 0; k < projection.column.size(); ++k)
    W.row(projection.column[k]) = projection.W.row(static_cast<Index>(k));
  EXPECT_LE((X * W - projection.apply(table.rows.view(), workers)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE((X * W - projected.Z).leftCols(30).cwiseAbs().maxCoeff(), 1e-12);
  const Eigen::JacobiSVD<Matrix> exact(X, Eigen::ComputeThinV);
  for (Index k = 0; k < 6; ++k)  // the kinds of rows
    EXPECT_NEAR(std::abs(exact.matrixV().col(k).dot(W.col(k))), 1, 1e-3) << k;
}

TEST(ProjectRows, AScoreDoesNotKnowTheLabelOfItsRow) {
  Workers workers(1);
  Wide table = wide_table(300, 100);
  const RowMatrix before = project_rows(table.rows.view(), table.y, 2, {}, true, 1, workers).Z;
  double correct = 0;
  for (Index i = 0; i < 300; ++i) correct += (before(i, 30) > 0) == (table.y[i] == 1) ? 1 : 0;
  EXPECT_GT(correct, 240);
  table.y[17] = 1 - table.y[17];
  const RowMatrix after = project_rows(table.rows.view(), table.y, 2, {}, true, 1, workers).Z;
  EXPECT_NEAR(after(17, 30), before(17, 30), 1e-2) << "up to the tolerance of the slopes";
  EXPECT_GT((after - before).col(30).cwiseAbs().maxCoeff(), 1e-3) << "others know it";
}

TEST(ProjectRows, NeitherThreadsNorOrderMatter) {
  Workers one(1), three(3);
  const Wide table = wide_table(300, 100);
  std::vector<std::size_t> order;
  for (std::size_t i = 300; i-- > 0;) order.push_back(i);
  Wide reversed{take_rows(table.rows.view(), order), {table.y.rbegin(), table.y.rend()}};
  const ProjectedRows a = project_rows(table.rows.view(), table.y, 2, {}, true, 1, one),
                      b = project_rows(reversed.rows.view(), reversed.y, 2, {}, true, 1, three);
  EXPECT_EQ(a.projection->W, b.projection->W);
  EXPECT_EQ(a.Z, b.Z.colwise().reverse());
}

TEST(ProjectRows, ColumnsOfDifferentSizesAreScaled) {
  Workers workers(1);
  const Wide small = wide_table(300, 100), large = wide_table(300, 100, 1e5);
  const auto share_of_large = [&](bool may_scale) {
    const ProjectedRows projected = project_rows(large.rows.view(), large.y, 2, {}, may_scale, 1, workers);
    return projected.projection->W.col(0).cwiseAbs().head(50).maxCoeff();
  };
  EXPECT_LT(share_of_large(false), 1e-3) << "the large columns are all that counts";
  EXPECT_GT(share_of_large(true), 1e-2);
  EXPECT_EQ(project_rows(small.rows.view(), small.y, 2, {}, true, 1, workers).projection->W,
            project_rows(small.rows.view(), small.y, 2, {}, false, 1, workers).projection->W);
}

// Oracle: how often it asks if it need not end.
TEST(ProjectRows, EndsSoonAfterItMust) {
  Workers workers(2);
  const Wide table = wide_table(300, 100);
  int asked = 0;
  project_rows(table.rows.view(), table.y, 2, {}, true, 1, workers, [&] { return ++asked < 0; });
  EXPECT_GT(asked, 50);
  asked = 0;
  const ProjectedRows projected =
      project_rows(table.rows.view(), table.y, 2, {}, true, 1, workers, [&] { return ++asked > 3; });
  EXPECT_LT(asked, 20);
  EXPECT_TRUE(projected.Z.allFinite());
}

TEST(ProjectRows, OneScoreForEachOfManyClasses) {
  Workers workers(2);
  Wide table = wide_table(300, 100);
  for (std::size_t i = 0; i < 300; ++i) table.y[i] = static_cast<int>(i % 4);
  EXPECT_EQ(project_rows(table.rows.view(), table.y, 4, {}, true, 1, workers).Z.cols(), 34);
  for (std::size_t i = 0; i < 300; ++i) table.y[i] = static_cast<int>(i % 30);
  EXPECT_EQ(project_rows(table.rows.view(), table.y, 30, {}, true, 1, workers).Z.cols(), 30) << "too many";
}

}  // namespace
}  // namespace induce::testing
