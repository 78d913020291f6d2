// Axes, knots and the grammar of terms. Their mathematics: tests/unit/core/terms_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>
#include <induce/options.hpp>

#include "kernel/kernel.hpp"

namespace induce::testing {
namespace {

Axis number_with_a_gap() {
  return {.first = 1, .count = 2, .value = 1, .knots = {-1, 0, 2}, .ranks = {0.2, 0.5, 0.9}};
}

TEST(Axis, PositionsAreLinearBetweenKnotsAndConstantBeyond) {
  const Axis axis = number_with_a_gap();
  const auto position = [&](double number, double missing) {
    const double x[] = {7, number, missing};
    return axis.position(x);
  };
  EXPECT_EQ(axis.size(), 4);
  EXPECT_EQ(position(0, 1), 0);  // the gap, whatever the number
  EXPECT_EQ(position(-9, 0), 1);
  EXPECT_EQ(position(-1, 0), 1);
  EXPECT_EQ(position(-0.75, 0), 1.25);
  EXPECT_EQ(position(0, 0), 2);
  EXPECT_EQ(position(1.5, 0), 2.75);
  EXPECT_EQ(position(2, 0), 3);
  EXPECT_EQ(position(1e300, 0), 3);
}

TEST(Axis, KnotsAreAllValuesOrQuantilesByWeight) {
  Axis axis{.first = 0, .count = 1, .value = 0, .knots = {}, .ranks = {}};
  place_knots(axis, {{3, 1}, {1, 2}, {3, 1}, {2, 4}}, 8);
  EXPECT_EQ(axis.knots, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(axis.ranks, (std::vector<double>{0.125, 0.5, 0.875}));

  std::vector<std::pair<double, double>> many;
  for (int k = 0; k < 1000; ++k) many.emplace_back(k, 1);
  place_knots(axis, many, 11);
  ASSERT_GE(axis.knots.size(), 11u);
  ASSERT_LE(axis.knots.size(), 12u);
  EXPECT_EQ(axis.knots.front(), 0);
  EXPECT_EQ(axis.knots.back(), 999);
  for (std::size_t k = 1; k + 1 < axis.knots.size(); ++k)
    EXPECT_NEAR(axis.ranks[k], 0.1 * std::round(10 * axis.ranks[k]), 2e-3);
}

// C C' = R + nugget I, and E is the derivative in the coordinates of C.
TEST(Axis, FactorAndItsDerivative) {
  const Axis axis = number_with_a_gap();
  const auto R = [&](double l) {
    const PlacedAxis placed(axis, l);
    return Matrix(placed.C * placed.C.transpose());
  };
  const PlacedAxis placed(axis, 0.4);
  const double step = 1e-5;
  const Matrix want = (R(0.4 * std::exp(step)) - R(0.4 * std::exp(-step))) / (2 * step);
  EXPECT_LT((placed.C * placed.E * placed.C.transpose() - want).norm(), 1e-9);
  EXPECT_NEAR(R(0.4)(1, 3), (1 + std::sqrt(3) * 0.7 / 0.4) * std::exp(-std::sqrt(3) * 0.7 / 0.4), 1e-12);
  EXPECT_EQ(R(0.4)(0, 1), 0);
}

KernelSetting three_columns() {
  KernelSetting made{.d = 4};
  made.axes = {{.first = 0, .count = 1, .value = 0, .knots = {0, 1}, .ranks = {0.3, 0.7}},
               number_with_a_gap(),
               {.first = 3, .count = 1, .value = 3, .knots = {5}, .ranks = {0.5}}};  // constant: no term
  made.pair_axes = made.axes;
  return made;
}

TEST(TermNames, GiveTermsAndTheirParameters) {
  const auto kernel = make_kernel("se+mains+pairs:1*0", three_columns());
  EXPECT_EQ(kernel->name(), "se+mains+pairs:1*0");
  const Terms& terms = *kernel->terms();
  ASSERT_EQ(terms.count(), 3);
  EXPECT_EQ(terms[0].columns, (std::vector<Index>{0}));
  EXPECT_EQ(terms[1].columns, (std::vector<Index>{1}));
  EXPECT_EQ(terms[2].columns, (std::vector<Index>{0, 1}));
  EXPECT_EQ(terms.values(), 2 + 4 + 8);
  EXPECT_EQ(kernel->size(), 1 + 4 + 2 + 1 + 2 + 2);
  EXPECT_TRUE(kernel->find("mains.lengthscales"));
  EXPECT_FALSE(make_kernel("pairs:0*1", three_columns())->find("mains.signal_std"));
  EXPECT_EQ(make_kernel("se", three_columns())->terms(), nullptr);
  EXPECT_TRUE(has_terms("se+mains:0"));
  EXPECT_FALSE(has_terms("se+additive"));
  EXPECT_TRUE(has_joint_part("se+mains"));
  EXPECT_FALSE(has_joint_part("mains+pairs:0*1"));
}

TEST(TermNames, WrongOnesAreNamed) {
  const auto message = [](const std::string& name) -> std::string {
    try {
      make_kernel(name, three_columns());
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("mains:3"), "kernel 'mains:3': there is no column 3; the data has 3");
  EXPECT_EQ(message("mains:2"), "kernel 'mains:2': column 2 has one value only, so it has no term");
  EXPECT_EQ(message("pairs:0*2"), "kernel 'pairs:0*2': column 2 has one value only, so it has no term");
  EXPECT_EQ(message("mains:1,1"), "kernel 'mains:1,1': a column appears twice");
  EXPECT_EQ(message("mains:1,"), "kernel 'mains:1,': columns must be indices from 0, separated by commas");
  EXPECT_EQ(message("pairs:1"), "kernel 'pairs:1': a pair has two columns, as in 0*5");
  EXPECT_EQ(message("pairs:1*1"), "kernel 'pairs:1*1': a pair has two different columns");
  EXPECT_EQ(message("pairs:0*1,1*0"), "kernel 'pairs:0*1,1*0': a pair appears twice");
  EXPECT_EQ(message("mains+mains:0"), "kernel 'mains+mains:0': mains appears twice in the sum");
  EXPECT_EQ(message("mains:1@1"), "kernel 'mains:1@1': a column has from 2 to 512 knots, as in 0@32");
  EXPECT_EQ(message("mains:1@x"), "kernel 'mains:1@x': a column has from 2 to 512 knots, as in 0@32");
  EXPECT_NO_THROW(check_kernel_name("se+mains:age,income+pairs:age*income"));
  EXPECT_NO_THROW(check_kernel_name("se+mains:age@32,income+pairs:age@8*income"));
  EXPECT_THROW(check_kernel_name("se+pairs:age"), Error);
  EXPECT_THROW(check_kernel_name("se+mains:age,,income"), Error);
}

}  // namespace
}  // namespace induce::testing
