#include "support/close.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace induce::testing {

void expect_close(double got, double want, double tolerance, const std::string& what) {
  EXPECT_NEAR(got, want, tolerance * std::max(1.0, std::abs(want))) << what;
}

void expect_close(const Vector& got, const Vector& want, double tolerance, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (Index i = 0; i < got.size(); ++i) {
    expect_close(got(i), want(i), tolerance, what + "[" + std::to_string(i) + "]");
  }
}

void expect_close_matrix(const Matrix& got, const Matrix& want, double tolerance, const std::string& what) {
  ASSERT_EQ(got.rows(), want.rows()) << what;
  expect_close(Vector(got.reshaped()), Vector(want.reshaped()), tolerance, what);
}

}  // namespace induce::testing
