// Sparse rows: conversions, checks, and which tables stay sparse.
#include <gtest/gtest.h>

#include <limits>

#include <induce/error.hpp>

#include "rows/sparse_rows.hpp"

namespace induce::testing {
namespace {

SparseRows three_rows() {
  SparseRows rows;
  rows.d = 4;
  for (const auto& row : {std::vector<double>{0, 1, 0, 2}, {0, 0, 0, 0}, {3, 0, 0, 0}})
    rows.add_dense(row.data());
  return rows;
}

TEST(SparseRows, ZerosComeBack) {
  const SparseRows rows = three_rows();
  EXPECT_EQ(rows.n(), 3U);
  EXPECT_EQ(rows.view().entries(), 3U);
  std::vector<double> dense(8);
  write_dense(rows.view(), 1, 2, dense.data());
  EXPECT_EQ(dense, (std::vector<double>{0, 0, 0, 0, 3, 0, 0, 0}));
  const std::vector<std::size_t> wanted{2, 0};
  const SparseRows taken = take_rows(rows.view(), wanted);
  EXPECT_EQ(taken.value, (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(taken.column, (std::vector<std::int32_t>{0, 1, 3}));
}

TEST(SparseRows, WideAndLargeTablesThatAreLessThanATenthFullStaySparse) {
  EXPECT_TRUE(stays_sparse(1000, 1001, 100'000));
  EXPECT_FALSE(stays_sparse(1000, 1001, 100'100)) << "a tenth";
  EXPECT_FALSE(stays_sparse(1000, 1000, 10)) << "not wide";
  EXPECT_FALSE(stays_sparse(std::size_t{1} << 20, 256, 10)) << "2 GB, whatever the memory";
  EXPECT_TRUE(stays_sparse((std::size_t{1} << 20) + 1, 256, 10));
  EXPECT_FALSE(stays_sparse(std::size_t{1} << 21, 256, std::size_t{1} << 26)) << "large, but not sparse";
  EXPECT_FALSE(stays_sparse(0, 0, 0));
}

std::string refusal(const SparseRows& rows) {
  try {
    check_entries(rows.view());
    for (std::size_t i = 0; i < rows.n(); ++i) check_sparse_values(rows.view(), i);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SparseRows, BadEntriesAreNamed) {
  EXPECT_EQ(refusal(three_rows()), "");
  SparseRows rows = three_rows();
  rows.column[1] = 4;
  EXPECT_EQ(refusal(rows), "row 0 of the sparse table: column 4 is not between 0 and 3");
  rows.column[1] = 1;
  EXPECT_EQ(refusal(rows), "row 0 of the sparse table: column 1 comes after column 1: columns must increase");
  rows = three_rows();
  rows.row_start[1] = 1000;
  EXPECT_EQ(refusal(rows), "row 1 of the sparse table: row_start 1000 is negative or above the next one, 2");
  rows = three_rows();
  rows.value[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(rows),
            "row 2, feature 0 is missing: sparse rows must have numbers, and a missing value is not zero");
  rows.value[2] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(rows), "row 2, feature 0 is not a finite number");
  rows.d = most_sparse_columns + 1;
  EXPECT_NE(refusal(rows).find("20000001 columns: at most 20000000"), std::string::npos);
}

}  // namespace
}  // namespace induce::testing
