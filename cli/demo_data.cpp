#include "demo_data.hpp"

#include <cmath>
#include <numbers>

#include "linalg/random.hpp"

namespace induce::cli {

Dataset spiral_arms(std::size_t rows, std::uint64_t seed) {
  constexpr double kInner = 0.2, kLength = 2.8, kTurn = 2.3, kSpread = 0.37;
  Random random(seed);
  Dataset data;
  data.names.classes = {"blue arm", "orange arm"};
  data.names.features = {"x1", "x2"};
  data.X.resize(static_cast<Eigen::Index>(rows), 2);
  for (std::size_t i = 0; i < rows; ++i) {
    const int arm = static_cast<int>(i % 2);
    const double radius = kInner + kLength * std::sqrt(random.uniform());  // uniform over the disc
    const double angle = kTurn * radius + std::numbers::pi * (arm + 0.25);
    const auto row = static_cast<Eigen::Index>(i);
    data.X(row, 0) = radius * std::cos(angle) + kSpread * random.normal();
    data.X(row, 1) = radius * std::sin(angle) + kSpread * random.normal();
    data.y.push_back(arm);
  }
  return data;
}

}  // namespace induce::cli
