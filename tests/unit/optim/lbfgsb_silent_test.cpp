// The optimizer writes nothing. On these badly scaled problems, with small errors in value and gradient, the
// routine's line search meets ascent directions. Debian's version then writes to Fortran's unit 6 for any iprint.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "optim/lbfgsb.hpp"

namespace induce::testing {
namespace {

void climb_awkward_hills() {
  const int n = 6;
  LbfgsbSettings endless;
  endless.relative_reduction = endless.projected_gradient = 0;
  endless.max_evaluations = 200;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    std::uint32_t state = seed;
    const auto noise = [&] {
      state = state * 1664525u + 1013904223u;
      return (state >> 8) / static_cast<double>(1 << 24) - 0.5;
    };
    const Objective hill = [&](const Vector& x, Vector& gradient) {
      gradient.resize(n);
      double value = 0;
      for (int i = 0; i < n; ++i) {
        const double weight = std::pow(10.0, 4 * i);
        value -= weight * x[i] * x[i];
        gradient[i] = -2 * weight * x[i] * (1 + 1e-6 * noise());
      }
      return value + 1e-6 * noise();
    };
    maximize_lbfgsb(hill, Vector::Constant(n, 0.7), Vector::Constant(n, -1), Vector::Constant(n, 1), endless);
  }
}

// The Fortran runtime writes when the process ends, so the test runs a separate process to its end.
TEST(LbfgsbDeathTest, WritesNothing) {
  EXPECT_EXIT(
      {
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
        climb_awkward_hills();
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace induce::testing
