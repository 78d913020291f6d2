#include "support/evidence.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace induce::naive {

double log_evidence(const Problem& problem) {
  const Index n = problem.y.size();
  if (n < 1 || n > 3) throw std::invalid_argument("log_evidence: n must be 1, 2 or 3");
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(problem.K_nn());
  const Matrix A = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();  // n x n

  using Point = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;  // at most 3 numbers, kept off the heap
  const double S = std::sqrt(problem.k_diag().maxCoeff()), L = eigen.eigenvalues().maxCoeff();
  const double longest = problem.likelihood == "probit" ? 0.75 / std::sqrt(1 + L) : std::min(0.5, 0.6 / S);
  const double half_width = 9.5;
  const int half = static_cast<int>(std::ceil(half_width / longest));
  const double step = half_width / half;
  const auto P = likelihood_named(problem.likelihood).P;
  const auto integrand = [&](const Point& z) {
    const Point f = (A * z).array() + problem.mean;
    double value = std::pow(step / std::sqrt(2 * std::numbers::pi), static_cast<double>(n));
    for (Index i = 0; i < n; ++i) value *= std::exp(-z(i) * z(i) / 2) * P(problem.y(i) * f(i));
    return value;
  };

  Point z = Point::Constant(n, -half_width);
  std::vector<int> at(static_cast<std::size_t>(n), -half);  // the grid point, counted up like an odometer
  double sum = 0;
  for (bool more = true; more;) {
    sum += integrand(z);
    more = false;
    for (Index j = 0; j < n && !more; ++j) {
      int& digit = at[static_cast<std::size_t>(j)];
      more = digit < half;
      digit = more ? digit + 1 : -half;
      z(j) = digit * step;
    }
  }
  return std::log(sum);
}

}  // namespace induce::naive
