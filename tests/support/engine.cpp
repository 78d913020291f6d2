#include "support/engine.hpp"

#include "support/bridge.hpp"
#include "train/row_sums.hpp"

namespace induce::testing {

Engine::Engine(const naive::Problem& problem, double jitter, int threads, std::size_t memory)
    : workers(threads),
      kernel(kernel_of(problem)),
      likelihood(induce::likelihood(problem.likelihood)),
      X(problem.X),
      y(problem.y),
      pass(X, problem.Z.rows(), workers, memory),
      sites(problem.X.rows()) {
  place(problem, jitter);
}

void Engine::place(const naive::Problem& problem, double jitter) {
  frame = make_frame(kernel, prior_of(problem), jitter);
}

void Engine::stage_one(const std::string& rule, int rounds) {
  const Index k = frame.m();
  collapsed.q = posterior_from(frame, Vector::Zero(k), Matrix::Identity(k, k));
  for (int round = 0; round < rounds; ++round) refresh(rule);
}

void Engine::refresh(const std::string& rule) {
  pass.marginals(frame, collapsed.q, m, S2);
  refresh_sites(*make_site_rule(rule, likelihood), Targets(y), m, S2, workers, sites);
  bound();
}

double Engine::bound() {
  collapse(frame, pass.first_half(frame, sites), collapsed);
  return collapsed.F;
}

double Engine::elbo() {
  pass.marginals(frame, collapsed.q, m, S2);
  return collapsed.F + expected_log_likelihood(likelihood, Targets(y), m, S2, workers) -
         expected_sites(sites, m, S2, workers);
}

Gradient Engine::fixed_site_gradient() {
  return induce::fixed_site_gradient(pass, frame, {&collapsed, 1}, sites, m, S2);
}

}  // namespace induce::testing
