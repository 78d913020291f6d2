// A matrix whose resize() finds no memory is empty and can be used again. (Here because sanitizers end the program when
// the allocator gets such a request.)
#include <gtest/gtest.h>

#include <new>

#include "linalg/types.hpp"

namespace induce::testing {
namespace {

using namespace detail;

constexpr Index huge = Index{1} << 29;

template <class Numbers>
void expect_empty_after_failure(Numbers numbers, Index rows, Index columns) {
  EXPECT_THROW(numbers.resize(rows, columns), std::bad_alloc);
  EXPECT_EQ(numbers.size(), 0);
  numbers.setConstant(2, numbers.ColsAtCompileTime == 1 ? 1 : 3, 7.0);
  EXPECT_EQ(numbers.minCoeff(), 7);
}

TEST(Storage, IsEmptyAfterAFailedResize) {
  expect_empty_after_failure<Matrix>(Matrix::Ones(3, 4), huge, huge);
  expect_empty_after_failure<RowMatrix>(RowMatrix::Ones(3, 4), huge, huge);
  expect_empty_after_failure<Vector>(Vector::Ones(5), huge * huge, 1);
}

TEST(Storage, KeepsItsNumbersIfTheirCountIsTheSame) {
  Matrix A = Vector::LinSpaced(6, 1, 6).reshaped(2, 3);
  const double* before = A.data();
  A.resize(3, 2);
  EXPECT_EQ(A.data(), before);
  EXPECT_EQ(A(2, 1), 6);
}

}  // namespace
}  // namespace induce::testing
