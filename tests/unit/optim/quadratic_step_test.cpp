// The step of L-BFGS-B on its quadratic model. Oracles: the model along a fine grid of the projected gradient's path, and
// the conditions for a minimum over the variables that are free.
#include "optim/quadratic_step.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/close.hpp"

namespace induce::testing {
namespace {

constexpr Index variables = 6;
const double unbounded = std::numeric_limits<double>::infinity();

struct Case {
  Curvature B{5};
  Vector x = Vector::Zero(variables), g;
  Box box;

  Vector B_times(const Vector& v) const {
    return B.empty() ? Vector(B.theta() * v) : Vector(B.theta() * v - B.W_times(B.M() * B.Wt_times(v)));
  }
  double model(const Vector& z) const { return g.dot(z - x) + (z - x).dot(B_times(z - x)) / 2; }
  Vector slope(const Vector& z) const { return g + B_times(z - x); }
};

Case make_case(int pairs, double width) {
  Case made;
  for (int k = 0; k < pairs; ++k) {
    Vector s(variables), y(variables);
    for (Index i = 0; i < variables; ++i) {
      s[i] = std::cos(2.0 + 5 * k + 1.7 * static_cast<double>(i));
      y[i] = (1 + static_cast<double>(i * i)) * s[i];
    }
    made.B.add(s, y);
  }
  made.g = Vector::LinSpaced(variables, -3, 4);
  made.box.lower = Vector::LinSpaced(variables, -width, -0.3 * width);
  made.box.upper = Vector::LinSpaced(variables, 0.2 * width, width);
  made.box.lower[1] = -unbounded;
  made.box.upper[4] = unbounded;
  made.x[5] = made.box.lower[5];  // cannot move: the gradient is positive
  return made;
}

TEST(QuadraticStep, CauchyPointIsTheFirstMinimumOfThePath) {
  for (const int pairs : {0, 1, 4})
    for (const double width : {0.05, 0.4, 2.0, 1e6}) {
      SCOPED_TRACE(std::to_string(pairs) + " pairs, width " + std::to_string(width));
      const Case c = make_case(pairs, width);
      const CauchyPoint got = cauchy_point(c.B, c.box, c.x, c.g);
      Vector at = c.x;
      const double dt = 1e-4;
      for (double t = dt;; t += dt) {
        const Vector z = c.box.nearest(c.x - t * c.g);
        if (z == at || c.model(z) > c.model(at)) break;
        at = z;
      }
      expect_close(got.x, at, 2 * dt * c.g.lpNorm<Eigen::Infinity>(), "point");
      EXPECT_LE(c.model(got.x), c.model(at) + 1e-12);
      expect_close(got.c, c.B.Wt_times(got.x - c.x), 1e-12, "W'(z - x)");
    }
}

TEST(QuadraticStep, EndsAtTheMinimumOverFreeVariables) {
  for (const int pairs : {0, 1, 4})
    for (const double width : {0.05, 0.4, 2.0, 1e6}) {
      SCOPED_TRACE(std::to_string(pairs) + " pairs, width " + std::to_string(width));
      const Case c = make_case(pairs, width);
      const auto got = minimize_quadratic(c.B, c.box, c.x, c.g);
      ASSERT_TRUE(got);
      EXPECT_EQ(c.box.nearest(*got), *got);
      EXPECT_LT((*got - c.x).dot(c.g), 0) << "not a descent";
      const Vector cauchy = cauchy_point(c.B, c.box, c.x, c.g).x;
      bool hit = false;  // a bound that the Cauchy point had not: the step was projected or cut
      for (Index i = 0; i < variables; ++i) hit = hit || (c.box.inside(cauchy, i) && !c.box.inside(*got, i));
      if (hit) continue;
      EXPECT_LE(c.model(*got), c.model(cauchy) + 1e-12);
      for (Index i = 0; i < variables; ++i)
        if (c.box.inside(*got, i)) {
          EXPECT_NEAR(c.slope(*got)[i], 0, 1e-9);
        }
    }
}

}  // namespace
}  // namespace induce::testing
