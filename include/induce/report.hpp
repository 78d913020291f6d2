// The report of a fit: how it ended, what it found, and its iterations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/api.hpp>
#include <induce/explain.hpp>
#include <induce/metrics.hpp>

namespace induce {

class Model;

enum class Status {
  converged,    // the bound stopped moving
  budget,       // max_iter or max_time was reached
  interrupted,  // on_iteration returned false, or stop returned true
  failed,       // numerical breakdown; the model is the last good one
};

INDUCE_API std::string name_of(Status status);

// A named parameter of the model, in the model's (standardised) units.
struct Parameter {
  std::string name;
  std::vector<double> values;
  bool per_feature = false;  // one value for each of Model::lengthscale_names(), or one shared by all
  std::vector<std::size_t> columns{};  // indices of the names that the values belong to, if not all
};

// The kernel's parameters, then the prior mean. Kernels have signal_std and noise_std (0: no noise term), and
// lengthscales unless they have only terms or, in old files, only an additive part.
struct INDUCE_API Theta {
  std::vector<Parameter> parameters;
  double jitter = 0;  // relative to signal_std^2, as used by the last Cholesky factor

  // Throw std::out_of_range if there is no such parameter; `scalar` also unless it has exactly one value.
  const std::vector<double>& values(std::string_view name) const;
  double scalar(std::string_view name) const;
};

struct Iteration {
  int stage = 0;                                           // rows, m or features change between stages
  std::size_t rows = 0, m = 0;                             // rows and inducing inputs of the bound
  double seconds = 0;                                      // excluding callbacks and evaluation on test data
  long passes = 0;                                         // passes over the rows so far
  double bound = 0;                                        // the method's own bound
  double elbo = std::numeric_limits<double>::quiet_NaN();  // the true bound, if requested
};

// One stage of a growing fit.
struct Stage {
  std::size_t rows = 0, m = 0;
  std::string warp;    // feature warp: "none" or "yeo-johnson"
  std::string kernel;  // of the candidate
  double bound = 0;    // at the end of the stage, over its rows
  double seconds = 0;  // since the start of the fit
};

// A choice that the fit made: by the bound over rows of a small table, or by how well candidates predicted rows of a
// larger one that they had not used.
struct Chosen {
  struct Candidate {
    std::string name;
    double nll = std::numeric_limits<double>::quiet_NaN();        // mean over the held-out rows
    double nll_error = std::numeric_limits<double>::quiet_NaN();  // of its difference from the chosen one's
    double bound = std::numeric_limits<double>::quiet_NaN();      // over the rows that `reason` names
  };
  std::string what;  // "kernel" or "warp"
  std::string reason;
  Candidate chosen;
  std::vector<Candidate> others;  // in the order tried
  std::size_t held_out = 0;       // rows of the training table; 0: the bound decided
};

struct Report {
  std::string method;
  Status status = Status::failed;
  std::string message;
  std::vector<std::string> warnings;
  std::size_t n = 0, d = 0, m = 0;
  std::size_t rows = 0;  // rows used: all that have a weight, unless time ran out first
  std::uint64_t seed = 0;
  int threads = 0;
  int shards = 1;               // processes that had rows: MPI ranks or Dask workers
  double bytes_moved = 0;       // between them and the driver, both ways
  double seconds_waiting = 0;   // of the driver, for answers, beyond the mean work of a shard
  double shard_imbalance = 1;   // seconds of the busiest shard, relative to the mean
  double seconds = 0;           // including the explanation, without callbacks and evaluation on test data
  double choosing_seconds = 0;  // of these, for choosing warp and kernel
  double last_seconds = 0;      // and for the last stage
  int iterations = 0;
  long passes = 0;
  std::size_t kept_bytes = 0;  // size of the cached n x m arrays (see Options::memory)
  double bound = 0;  // the method's own, at the end; vi-newton: elbo plus log prior of theta, at most elbo
  double elbo = 0;   // the true bound of the same q, by accurate integration
  double sparsity_price = 0;  // loss of the bound due to having only m inputs: sum w_i k~_ii / 2
  // Likely gain of the bound if m were doubled; NaN for methods without growth. Half the gain of the last doubling, if
  // there was one, and at most the sparsity price.
  double doubling_gain = std::numeric_limits<double>::quiet_NaN();
  std::string warp;               // feature warp: "none" or "yeo-johnson"
  std::string kernel;             // the kernel used; never auto
  std::vector<Chosen> choices;    // empty if there was nothing to choose
  std::vector<Stage> stages;      // growth of rows and inducing inputs; empty for methods without growth
  std::vector<double> relevance;  // d: inverse length-scales in the model's units; 0 for constant features
  std::vector<Importance> importance;  // d: see explain.hpp; empty if interrupted
  std::string held_out_by = "rows";    // what is held out or left out together: "rows", "groups" or "time"
  // Metrics of the training rows, each left out at the fitted parameters: optimistic if there are few rows.
  std::optional<Metrics> leave_one_out;  // not if interrupted
  // Metrics of the training rows, each predicted by a fit without its fold, choices included; small tables with choices only.
  std::optional<Metrics> cross_validation;
  // Thresholds for sets of classes that are right with probability 1 - alpha, alpha = 0, 1/200, ..., 1/2, by the predictions of
  // the metrics above, the second if it is there: a class is in the set of a row if more probable classes have at most this
  // probability together. Empty if there are no such predictions.
  std::vector<double> set_thresholds;
  std::vector<double> class_weights;  // see Options; all of the above is without them
  Theta theta;
  std::vector<Iteration> history;
};

// The argument of on_iteration. `model` may be called until on_iteration returns; all else can be kept.
struct Progress {
  int iteration = 0;
  int max_iter = 0;
  Iteration now;
  double gain = std::numeric_limits<double>::quiet_NaN();          // of the last stage, in nats per row
  double seconds_left = std::numeric_limits<double>::quiet_NaN();  // estimate; NaN: unknown
  double rows_per_second = 0;                                      // that passes of this stage have visited
  int shards = 0;                                                  // processes with rows; 0: only this one
  double shard_imbalance = 1;                                      // work of the busiest shard over the mean
  std::function<Model()> model;                                    // builds the current model on demand
};

}  // namespace induce
