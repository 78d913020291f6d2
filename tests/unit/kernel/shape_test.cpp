// rho and its slope. Oracles: the twin's formulas, central differences, continuity in nu.
#include <gtest/gtest.h>

#include <cmath>

#include <induce/error.hpp>

#include "kernel/matern.hpp"
#include "kernel/shape.hpp"
#include "support/naive.hpp"

namespace induce {
namespace {

double rho(const Shape& shape, double r2, double variance = 1) {
  shape.covariance(&r2, 1, variance);
  return r2;
}
double slope(const Shape& shape, double r2, double variance = 1) {
  shape.slope(&r2, 1, variance);
  return r2;
}

constexpr double squared_distances[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 1, 2, 5, 10, 20, 50};

class EveryShape : public ::testing::TestWithParam<std::string> {
 protected:
  const std::unique_ptr<Shape> shape_ = make_shape(GetParam());
};

TEST_P(EveryShape, IsOneAtZero) {
  EXPECT_NEAR(rho(*shape_, 0), 1, 1e-15);
  EXPECT_NEAR(rho(*shape_, 0, 7), 7, 1e-14);
  EXPECT_TRUE(std::isfinite(slope(*shape_, 0)));
}

TEST_P(EveryShape, MatchesTheTwin) {
  for (const double r2 : squared_distances) {
    const double want = naive::correlation(GetParam(), std::sqrt(r2));
    EXPECT_NEAR(rho(*shape_, r2), want, 1e-13 * want + 1e-15) << "r2 = " << r2;
    EXPECT_NEAR(rho(*shape_, r2, 3), 3 * rho(*shape_, r2), 1e-15) << "r2 = " << r2;
    EXPECT_NEAR(slope(*shape_, r2, 3), 3 * slope(*shape_, r2), 1e-14 * slope(*shape_, r2)) << "r2 = " << r2;
  }
}

TEST_P(EveryShape, SlopeIsMinusTwiceTheDerivativeInSquaredDistance) {
  for (const double r2 : squared_distances) {
    const double h = std::min(1e-2 * r2, 1e-2);
    const double want = -2 * naive::central_difference([&](double at) { return rho(*shape_, at); }, r2, h);
    EXPECT_NEAR(slope(*shape_, r2) / want, 1, 2e-6) << "r2 = " << r2;
  }
}

// No jump where the series near zero takes over, 0 far out, and monotonically decreasing.
TEST_P(EveryShape, DecreasesFromOneToZero) {
  double before = rho(*shape_, 0);
  for (double r2 = 1e-20; r2 < 1e7; r2 *= 2) {
    const double now = rho(*shape_, r2);
    ASSERT_LE(now, before + 1e-13) << "r2 = " << r2;
    ASSERT_GE(now, 0) << "r2 = " << r2;
    ASSERT_TRUE(std::isfinite(slope(*shape_, r2))) << "r2 = " << r2;
    before = now;
  }
  EXPECT_LT(before, 1e-100);
}

TEST_P(EveryShape, SlopeIsCovarianceOnlyWhereItSaysSo) {
  bool equal = true;
  for (const double r2 : squared_distances) equal = equal && slope(*shape_, r2) == rho(*shape_, r2);
  EXPECT_EQ(shape_->slope_is_covariance(), equal);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryShape, ::testing::ValuesIn(example_shapes()), [](const auto& each) {
  std::string name = each.param;
  for (char& letter : name) letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name;
});

// By continuity in nu, Bessel functions near a half-integer agree with its closed form.
TEST(Matern, GeneralOrderMatchesTheClosedForms) {
  const std::pair<double, const char*> pairs[] = {{0.5, "matern12"}, {1.5, "matern32"}, {2.5, "matern52"}};
  for (const auto& [nu, name] : pairs) {
    const std::unique_ptr<Shape> closed = make_shape(name);
    for (const double step : {-1e-7, 1e-7}) {
      const MaternBessel general(nu + step);
      for (const double r2 : squared_distances) {
        EXPECT_NEAR(rho(general, r2), rho(*closed, r2), 1e-6) << name << ", r2 = " << r2;
        EXPECT_NEAR(slope(general, r2) / slope(*closed, r2), 1, 1e-5) << name << ", r2 = " << r2;
      }
    }
  }
}

TEST(Matern, HalfIntegerNuSelectsTheClosedForms) {
  EXPECT_NE(dynamic_cast<Matern12*>(make_shape("matern:0.5").get()), nullptr);
  EXPECT_NE(dynamic_cast<Matern32*>(make_shape("matern:1.5").get()), nullptr);
  EXPECT_NE(dynamic_cast<Matern52*>(make_shape("matern:2.5").get()), nullptr);
}

std::string error_of(const std::string& name) {
  try {
    make_shape(name);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage) << name;
    return error.what();
  }
  return "";
}

TEST(MakeShape, ErrorForUnknownNameListsKnownNames) {
  for (const char* name : {"rbf", "", "SE", "matern", "matern72"}) {
    const std::string message = error_of(name);
    for (const char* known : {"se", "matern12", "matern32", "matern52", "matern:NU"})
      EXPECT_NE(message.find(known), std::string::npos) << "'" << name << "': " << message;
    EXPECT_NE(message.find("'" + std::string(name) + "'"), std::string::npos) << message;
  }
}

TEST(MakeShape, ErrorForInvalidNuNamesTheLimits) {
  for (const char* nu :
       {"", "0", "-1", "0.09", "30.1", "1e9", "nan", "inf", "-inf", "1.2x", "x", " 1.2", "1,2"}) {
    const std::string name = std::string("matern:") + nu, message = error_of(name);
    EXPECT_NE(message.find(name), std::string::npos) << name << ": " << message;
    EXPECT_NE(message.find("0.1"), std::string::npos) << message;
    EXPECT_NE(message.find("30"), std::string::npos) << message;
  }
  for (const char* nu : {"0.1", "1", "2", "30"}) EXPECT_NO_THROW(make_shape(std::string("matern:") + nu));
}

}  // namespace
}  // namespace induce
