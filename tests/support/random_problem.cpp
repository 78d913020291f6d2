#include "support/random_problem.hpp"

#include <cmath>
#include <random>

namespace induce::testing {

naive::Problem random_problem(unsigned seed, Index n, Index m, Index d) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const auto draw = [&] { return normal(generator); };
  naive::Problem problem;
  problem.X = RowMatrix::NullaryExpr(n, d, draw);
  problem.y = Vector::NullaryExpr(n, [&] { return uniform(generator) < 0.5 ? -1.0 : 1.0; });
  problem.Z = Matrix::NullaryExpr(m, d, draw);
  problem.signal_std = std::exp(0.5 * draw());
  problem.lengthscales = Vector::NullaryExpr(d, [&] { return std::exp(0.3 * draw()); });
  problem.noise_std = 0.3 * uniform(generator);
  problem.mean = draw();
  return problem;
}

Matrix random_matrix(unsigned seed, Index rows, Index cols) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(generator); });
}

}  // namespace induce::testing
