// What a fit tells: how it ended, what it found, and every iteration on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace induce {

class Model;

enum class Status {
  converged,    // the bound stopped moving
  budget,       // max_iter or max_time was reached
  interrupted,  // on_iteration returned false
  failed,       // the numbers broke down; the model is the last good one
};

std::string name_of(Status status);

struct Theta {
  double signal_std = 1;
  std::vector<double> lengthscales;  // one, or one per feature, in the model's (standardised) units
  double noise_std = 0;              // 0: no noise term
  double mean = 0;
  double jitter = 0;  // relative to signal_std^2, as used by the last Cholesky factor
};

struct Iteration {
  double seconds = 0;                                      // without the time of callbacks and of testing
  long passes = 0;                                         // passes over all rows so far
  double bound = 0;                                        // the method's own bound
  double elbo = std::numeric_limits<double>::quiet_NaN();  // the true bound, where it was asked for
};

struct Report {
  std::string method;
  Status status = Status::failed;
  std::string message;
  std::vector<std::string> warnings;
  std::size_t n = 0, d = 0, m = 0;
  std::uint64_t seed = 0;
  int threads = 0;
  double seconds = 0;
  int iterations = 0;
  long passes = 0;
  std::size_t kept_bytes = 0;  // of n x m arrays that were kept (see Options::memory)
  double bound = 0;            // the method's own bound at the end
  double elbo = 0;             // the true bound of the same q, by accurate integration
  Theta theta;
  std::vector<Iteration> history;
};

// What on_iteration sees.
struct Progress {
  int iteration = 0;
  int max_iter = 0;
  const Iteration& now;
  std::function<Model()> model;  // the current model, made on demand
};

}  // namespace induce
