// AdaDelta: three steps. Oracle: the three lines of adadelta.hpp in 30-digit decimal arithmetic.
#include "optim/adadelta.hpp"

#include <gtest/gtest.h>

#include "support/close.hpp"

namespace induce::testing {
namespace {

TEST(AdaDelta, ThreeStepsByHand) {
  AdaDelta optimizer(2, 0.5, 0.9, 1e-4);
  Vector x = Eigen::Vector2d(1, -2);
  optimizer.step(x, Eigen::Vector2d(1, 0));
  expect_close(x, Eigen::Vector2d(1.01580348853102534, -2), 1e-15, "first");
  optimizer.step(x, Eigen::Vector2d(-2, 3));
  expect_close(x, Eigen::Vector2d(0.99983479945649328, -1.9841894900364251), 1e-15, "second");
  optimizer.step(x, Eigen::Vector2d(0.5, 3));
  expect_close(x, Eigen::Vector2d(1.00428929153437781, -1.9713652780887899), 1e-15, "third");
}

TEST(AdaDelta, ClimbsAParabola) {
  AdaDelta optimizer(1, 1);
  Vector x = Vector::Constant(1, 4);
  for (int step = 0; step < 2000; ++step) optimizer.step(x, -2 * x);
  EXPECT_NEAR(x[0], 0, 0.05);
}

}  // namespace
}  // namespace induce::testing
