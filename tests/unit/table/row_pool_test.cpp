// Pools of sparse rows. Oracle: the same rows with their zeros.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "state/random.hpp"
#include "support/close.hpp"
#include "table/row_pool.hpp"

namespace induce::testing {
namespace {

// Every tenth cell is not zero; every third row is empty or a copy of one before.
SparseRows sparse_table(std::size_t n, std::size_t d, double last_column = 1) {
  Random random(5);
  SparseRows made;
  made.d = d;
  std::vector<double> row(d);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 3 == 2 && i > 6) {
      const SparseRows so_far = made;
      made.add_row(so_far.view(), i - 5);
      continue;
    }
    for (std::size_t f = 0; f < d; ++f) row[f] = random.uniform() < 0.1 ? random.normal() : 0;
    row[d - 1] *= last_column;
    if (i == 4) std::fill(row.begin(), row.end(), 0.0);
    made.add_dense(row.data());
  }
  return made;
}

RowMatrix dense_of(const SparseView& table) {
  RowMatrix X(static_cast<Index>(table.n), static_cast<Index>(table.d));
  write_dense(table, 0, table.n, X.data());
  return X;
}

std::vector<Index> all_of(std::size_t n) {
  std::vector<Index> all(n);
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

TEST(RowPool, DistancesAreThoseWithZeros) {
  Workers workers(2);
  const SparseRows table = sparse_table(300, 40);
  const WeightedRows rows = merged_rows(table.view(), std::vector<int>(300, 0), {}, workers);
  const RowPool pool = RowPool::choose(table.view(), rows, 25, true, 1, workers);
  ASSERT_EQ(pool.size(), 25);
  EXPECT_TRUE(pool.scales().empty()) << "columns are of one size";
  const RowMatrix X = dense_of(table.view()), C = dense_of(pool.rows().view());
  const RowMatrix R2 = pool.distances(table.view(), all_of(300), workers);
  const Matrix own = pool.own_distances();
  for (Index p = 0; p < 25; ++p) {
    for (Index i = 0; i < 300; ++i) EXPECT_NEAR(R2(i, p), (X.row(i) - C.row(p)).squaredNorm(), 1e-12);
    EXPECT_EQ(own(p, p), 0);
    for (Index q = 0; q < p; ++q) {
      EXPECT_EQ(own(p, q), own(q, p));
      EXPECT_GT(own(p, q), 1e-3) << "members are different rows";
    }
  }
  double mean = 0;
  for (Index i = 0; i < 300; ++i)
    for (Index k = 0; k < 300; ++k) mean += (X.row(i) - X.row(k)).squaredNorm() / 90000;
  expect_close(mean_squared_distance(table.view(), rows, pool), mean, 1e-12, "mean squared distance");
}

TEST(RowPool, ThreadsAndOrderOfRowsDoNotMatter) {
  const SparseRows table = sparse_table(200, 30);
  std::vector<std::size_t> reversed(200);
  for (std::size_t i = 0; i < 200; ++i) reversed[i] = 199 - i;
  const SparseRows other = take_rows(table.view(), reversed);
  const std::vector<int> labels(200, 0);
  Workers one(1), three(3);
  const RowPool a =
      RowPool::choose(table.view(), merged_rows(table.view(), labels, {}, one), 12, true, 7, one);
  const RowPool b =
      RowPool::choose(other.view(), merged_rows(other.view(), labels, {}, three), 12, true, 7, three);
  EXPECT_EQ(a.rows().value, b.rows().value);
  EXPECT_EQ(a.rows().column, b.rows().column);
  const RowPool first = a.first(5);
  EXPECT_EQ(first.size(), 5);
  EXPECT_EQ(first.own_distances(), a.own_distances().topLeftCorner(5, 5));
}

TEST(RowPool, HasNoMoreMembersThanDifferentRows) {
  Workers workers(1);
  SparseRows table;
  table.d = 3;
  for (int i = 0; i < 30; ++i) {
    const double row[] = {i % 3 == 0 ? 1.0 : 0.0, i % 3 == 1 ? 2.0 : 0.0, 0};
    table.add_dense(row);
  }
  const WeightedRows rows = all_rows({nullptr, 30, 3}, {});
  EXPECT_EQ(RowPool::choose(table.view(), rows, 10, true, 1, workers).size(), 3);
}

TEST(RowPool, ColumnsOfDifferentSizesAreScaled) {
  Workers workers(1);
  const SparseRows table = sparse_table(300, 12, 1e4);
  const WeightedRows rows = merged_rows(table.view(), std::vector<int>(300, 0), {}, workers);
  const RowPool pool = RowPool::choose(table.view(), rows, 10, true, 1, workers);
  ASSERT_EQ(pool.scales().size(), 12U);
  const RowMatrix X = dense_of(table.view());
  for (std::size_t f = 0; f < 12; ++f)
    EXPECT_EQ(pool.scales()[f], X.col(static_cast<Index>(f)).cwiseAbs().maxCoeff());
  const std::vector<double> C = pool.in_units_of_user();
  const RowMatrix R2 = pool.distances(table.view(), all_of(300), workers);
  for (Index i = 0; i < 300; ++i) {
    double want = 0;
    for (std::size_t f = 0; f < 12; ++f) {
      const double step = (X(i, static_cast<Index>(f)) - C[f]) / pool.scales()[f];
      want += step * step;
    }
    EXPECT_NEAR(R2(i, 0), want, 1e-12);
  }
  EXPECT_TRUE(RowPool::choose(table.view(), rows, 10, false, 1, workers).scales().empty());
}

TEST(RowPool, EqualSparseRowsAreMergedLikeDenseOnes) {
  Workers workers(2);
  const SparseRows table = sparse_table(120, 20);
  const RowMatrix X = dense_of(table.view());
  std::vector<int> labels(120);
  std::vector<double> weights(120);
  for (std::size_t i = 0; i < 120; ++i) {
    labels[i] = i % 7 == 0;
    weights[i] = static_cast<double>(i % 3);
  }
  const WeightedRows a = merged_rows(table.view(), labels, weights, workers),
                     b = merged_rows(TableView{X.data(), 120, 20}, labels, weights, workers);
  const auto contents = [](const WeightedRows& rows) {
    std::set<std::pair<Index, double>> out;
    for (Index i = 0; i < rows.n(); ++i) out.emplace(rows.rows[i], rows.weight[i]);
    return out;
  };
  EXPECT_EQ(contents(a), contents(b));
  EXPECT_LT(a.n(), 80);
}

}  // namespace
}  // namespace induce::testing
