#include "support/bridge.hpp"

#include <cmath>

namespace induce::testing {

std::shared_ptr<const Kernel> kernel_of(const naive::Problem& problem) {
  return make_kernel(problem.kernel, {.d = problem.X.cols(),
                                      .ard = problem.lengthscales.size() == problem.X.cols(),
                                      .noise = problem.noise_std > 0});
}

Prior prior_of(const naive::Problem& problem) {
  const Index l = problem.lengthscales.size(), noise = problem.noise_std > 0;
  Prior prior{Vector(1 + l + noise), problem.mean, problem.Z};
  prior.theta(0) = problem.signal_std;
  prior.theta.segment(1, l) = problem.lengthscales;
  if (noise) prior.theta(1 + l) = problem.noise_std;
  return prior;
}

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
  x.head(1 + l + noise) = g.log_theta;
  x(1 + l + noise) = g.mean;
  x.tail(problem.Z.size()) = g.Z.reshaped();
  return x;
}

}  // namespace induce::testing
