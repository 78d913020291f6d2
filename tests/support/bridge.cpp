#include "support/bridge.hpp"

#include <cmath>

namespace induce::testing {

naive::Sites twin_of(const Sites& sites) { return {sites.w, sites.t, sites.c}; }

naive::Posterior twin_of(const Frame& frame, const Posterior& q) {
  return {natural_mean(frame, q), natural_covariance(frame, q)};
}

Vector coordinates(const naive::Problem& problem) {
  const Index l = problem.lengthscales.size(), noise = problem.noise_std > 0;
  Vector x(1 + l + noise + 1 + problem.Z.size());
  x(0) = std::log(problem.signal_std);
  x.segment(1, l) = problem.lengthscales.array().log();
  if (noise) x(1 + l) = std::log(problem.noise_std);
  x(1 + l + noise) = problem.mean;
  x.tail(problem.Z.size()) = problem.Z.reshaped();
  return x;
}

naive::Problem moved_to(naive::Problem problem, const Vector& x) {
  const Index l = problem.lengthscales.size(), noise = problem.noise_std > 0;
  problem.signal_std = std::exp(x(0));
  problem.lengthscales = x.segment(1, l).array().exp();
  if (noise) problem.noise_std = std::exp(x(1 + l));
  problem.mean = x(1 + l + noise);
  problem.Z = x.tail(problem.Z.size()).reshaped(problem.Z.rows(), problem.Z.cols());
  return problem;
}

Vector coordinates(const naive::Problem& problem, const Gradient& g) {
  const Index l = problem.lengthscales.size(), noise = problem.noise_std > 0;
  Vector x(1 + l + noise + 1 + problem.Z.size());
  x(0) = g.log_signal_std;
  x.segment(1, l) = l == 1 ? Vector::Constant(1, g.log_lengthscales.sum()) : g.log_lengthscales;
  if (noise) x(1 + l) = g.log_noise_std;
  x(1 + l + noise) = g.mean;
  x.tail(problem.Z.size()) = g.Z.reshaped();
  return x;
}

}  // namespace induce::testing
