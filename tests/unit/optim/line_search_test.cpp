// The line search on the functions of More and Thuente (1994), section 5, and at the borders of a domain. Oracle: its own
// two conditions, and the number of tries in their tables for these starts (1 to 12).
#include "optim/line_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace induce::testing {
namespace {

using Curve = std::function<std::pair<double, double>(double)>;  // value and slope

// The step found, and the number of tries.
std::pair<double, int> search(const Curve& curve, double first, double longest = 1e10) {
  const auto [f, slope] = curve(0);
  LineSearch line(f, slope, first, longest);
  int tries = 0;
  for (; !line.done(); ++tries) {
    EXPECT_LE(line.step(), longest);
    const auto [value, there] = curve(line.step());
    line.add(value, there);
  }
  return {line.best(), tries};
}

void expect_wolfe(const Curve& curve, double t) {
  const auto [f, slope] = curve(0);
  const auto [value, there] = curve(t);
  EXPECT_LE(value, f + 1e-3 * t * slope);
  EXPECT_LE(std::abs(there), 0.9 * std::abs(slope));
}

Curve concave_then_convex() {
  return [](double t) { return std::pair(-t / (t * t + 2), (t * t - 2) / ((t * t + 2) * (t * t + 2))); };
}
Curve polynomial() {
  return [](double t) {
    const double u = t + 0.004;
    return std::pair(std::pow(u, 5) - 2 * std::pow(u, 4), 5 * std::pow(u, 4) - 8 * std::pow(u, 3));
  };
}

TEST(LineSearch, MeetsItsConditionsFromAnyStart) {
  const Curve curve = concave_then_convex();
  for (const double first : {1e-3, 1e-1, 1e1, 1e3}) {
    SCOPED_TRACE(first);
    const auto [t, tries] = search(curve, first);
    expect_wolfe(curve, t);
    EXPECT_LE(tries, 12);
  }
}

// Nearly flat at 0: the interval around the minimum, at 1.6, is narrow before the slope is as small as at 0.
TEST(LineSearch, EndsInANarrowInterval) {
  for (const double first : {1e-3, 1e-1, 1e1, 1e3}) {
    SCOPED_TRACE(first);
    const auto [t, tries] = search(polynomial(), first);
    EXPECT_NEAR(t, 1.6, 0.16);
    EXPECT_LE(tries, 12);
  }
}

TEST(LineSearch, EndsAtTheLongestStep) {
  const auto [t, tries] = search([](double at) { return std::pair(-at, -1.0); }, 1, 3);
  EXPECT_EQ(t, 3);
  EXPECT_LE(tries, 2);
}

TEST(LineSearch, ReturnsFromWhereThereIsNothing) {
  for (const double nowhere : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    const Curve curve = [&](double t) {
      return t < 1e-3 ? std::pair(t * t * 1e6 - 1e3 * t, 2e6 * t - 1e3) : std::pair(nowhere, 0.0);
    };
    const auto [t, tries] = search(curve, 1);
    expect_wolfe(curve, t);
    EXPECT_LE(tries, 6);
  }
}

TEST(LineSearch, FindsNothingWhereTheSlopeIsWrong) {
  const auto [t, tries] = search([](double at) { return std::pair(at, -1.0); }, 1);
  EXPECT_EQ(t, 0);
  EXPECT_LE(tries, 20);
}

}  // namespace
}  // namespace induce::testing
