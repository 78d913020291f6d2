// Drives the engine like training does, for tests: rows, sites, one evaluation, one gradient.
#pragma once

#include <string>

#include "core/gradient.hpp"
#include "core/pass.hpp"
#include "support/naive.hpp"

namespace induce::testing {

class Engine {
 public:
  // threads = 1 keeps tests light; determinism_test.cpp covers more.
  explicit Engine(const naive::Problem& problem, double jitter = 0, int threads = 1, std::size_t memory = 0);

  void place(const naive::Problem& problem, double jitter = 0);

  void stage_one(const std::string& rule, int rounds);  // Alg. 1 stage 1 from mu = 0, Sigma = I
  void refresh(const std::string& rule);                // marginals -> sites -> q
  double bound();
  double elbo();
  Gradient fixed_site_gradient();

  Workers workers;
  std::shared_ptr<const Kernel> kernel;
  const Likelihood& likelihood;
  RowMatrix X;
  Vector y;
  Pass pass;
  Frame frame;
  Sites sites;
  Collapsed collapsed;
  Vector m, S2;
};

}  // namespace induce::testing
