// The engine driven as training drives it, for tests: rows, sites, one evaluation, one gradient.
#pragma once

#include <string>

#include "core/gradient.hpp"
#include "core/pass.hpp"
#include "support/naive.hpp"
#include "train/row_sums.hpp"

namespace induce::testing {

class Engine {
 public:
  // threads = 1 keeps tests light; determinism over threads has its own test.
  explicit Engine(const naive::Problem& problem, double jitter = 0, int threads = 1, std::size_t memory = 0)
      : workers(threads),
        shape(make_shape(problem.kernel)),
        X(problem.X),
        y(problem.y),
        pass(X, problem.Z.rows(), workers, memory),
        sites(problem.X.rows()) {
    place(problem, jitter);
  }

  static Hyper hyper_of(const naive::Problem& problem) {
    return {problem.signal_std, problem.lengthscales, problem.noise_std, problem.mean};
  }
  void place(const naive::Problem& problem, double jitter = 0) {
    frame = make_frame(*shape, hyper_of(problem), problem.Z, jitter);
  }

  // Alg. 1 stage 1 from mu = 0, Sigma = I.
  void stage_one(const std::string& rule, int rounds) {
    const Index k = frame.m();
    collapsed.q = posterior_from(frame, Vector::Zero(k), Matrix::Identity(k, k));
    for (int round = 0; round < rounds; ++round) refresh(rule);
  }
  // marginals -> sites -> q
  void refresh(const std::string& rule) {
    pass.marginals(frame, collapsed.q, m, S2);
    refresh_sites(site_rule(rule), Targets(y), m, S2, workers, sites);
    bound();
  }
  double bound() {
    collapse(frame, pass.first_half(frame, sites), collapsed);
    return collapsed.F;
  }
  double elbo() {
    pass.marginals(frame, collapsed.q, m, S2);
    return collapsed.F + expected_log_likelihood(Targets(y), m, S2, workers) - expected_sites(sites, m, S2);
  }
  Gradient fixed_site_gradient() { return induce::fixed_site_gradient(pass, frame, collapsed, sites, m, S2); }

  Workers workers;
  std::unique_ptr<Shape> shape;
  RowMatrix X;
  Vector y;
  Pass pass;
  Frame frame;
  Sites sites;
  Collapsed collapsed;
  Vector m, S2;
};

}  // namespace induce::testing
