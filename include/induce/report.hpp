// What a fit tells: how it ended, what it found, and every iteration on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/metrics.hpp>

namespace induce {

class Model;

enum class Status {
  converged,    // the bound stopped moving
  budget,       // max_iter or max_time was reached
  interrupted,  // on_iteration returned false, or stop true
  failed,       // the numbers broke down; the model is the last good one
};

std::string name_of(Status status);

// A parameter of the model by its name, in the model's (standardised) units.
struct Parameter {
  std::string name;
  std::vector<double> values;
  bool per_feature = false;  // one for each feature, or one that all share
};

// What the kernel has, then the prior mean. The kernels of today have signal_std, lengthscales and noise_std (0: no
// noise term).
struct Theta {
  std::vector<Parameter> parameters;
  double jitter = 0;  // relative to signal_std^2, as used by the last Cholesky factor

  // Throw std::out_of_range if there is no parameter of that name; `scalar` also if it has not one value.
  const std::vector<double>& values(std::string_view name) const;
  double scalar(std::string_view name) const;
};

struct Iteration {
  int stage = 0;                                           // rows, m or features change between stages
  std::size_t rows = 0, m = 0;                             // that the bound is of
  double seconds = 0;                                      // without the time of callbacks and of testing
  long passes = 0;                                         // passes over the rows so far
  double bound = 0;                                        // the method's own bound
  double elbo = std::numeric_limits<double>::quiet_NaN();  // the true bound, where it was asked for
};

// One stage of a fit that grows.
struct Step {
  std::size_t rows = 0, m = 0;
  std::string warp;    // of the features: "none" or "yeo-johnson"
  double bound = 0;    // at the end of the stage, of its rows
  double seconds = 0;  // since the start of the fit
};

struct Report {
  std::string method;
  Status status = Status::failed;
  std::string message;
  std::vector<std::string> warnings;
  std::size_t n = 0, d = 0, m = 0;
  std::size_t rows = 0;  // different rows that took part: all, unless the time was spent before
  std::uint64_t seed = 0;
  int threads = 0;
  double seconds = 0;
  int iterations = 0;
  long passes = 0;
  std::size_t kept_bytes = 0;  // of n x m arrays that were kept (see Options::memory)
  double bound = 0;  // the method's own at the end; vi-newton: elbo and log prior of theta, at most elbo
  double elbo = 0;   // the true bound of the same q, by accurate integration
  double sparsity_price = 0;      // what of the bound is lost to having m inputs: sum w_i k~_ii / 2
  std::string warp;               // of the features: "none" or "yeo-johnson"
  std::vector<Step> ladder;       // how rows and inducing inputs grew; empty for the methods that do not grow
  std::vector<double> relevance;  // d: inverse length-scales in the model's units, 0 where constant
  std::optional<Metrics> leave_one_out;  // on the training rows, each without itself; not if interrupted
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
