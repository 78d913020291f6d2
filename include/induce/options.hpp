// Options for fit(). Every member has a default, with its reason; none has to be set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <induce/api.hpp>

namespace induce {

struct Progress;

enum class Method {
  automatic,     // the best method in the library
  vi_jj,         // Alg. 1 of the paper with the Jaakkola-Jordan bound
  vi_jj_full,    // theta and xi together by L-BFGS-B
  vi_jj_hybrid,  // stage 1 of vi_jj, stage 2 over theta and xi
  vi_taylor,     // Alg. 1 with the Taylor expansion
  svi_adadelta,  // the stochastic baseline
  svi_lbfgs,     // the same bound, all rows, L-BFGS-B
  vi_jj_tight,   // vi_jj with a smaller sparsity penalty: still a lower bound, never a worse one
  vi_newton,     // the true bound at its optimal q; length-scales, mean and inputs learned
};

// "auto", "vi-jj", ... `method_from_name` throws an Error that lists them.
INDUCE_API const std::vector<std::string>& method_names();
INDUCE_API std::string_view name_of(Method method);
INDUCE_API Method method_from_name(std::string_view name);

// Kernels: se, matern12, matern32, matern52, matern:NU (0.1 <= NU <= 30); sums such as se+matern12; a nearly linear
// part: se+linear. Terms, functions with values of their own: of one column, se+mains or se+mains:age,income; of
// two, se+mains+pairs (those that matter) or se+pairs:age*income; without se: terms only. "auto" chooses.
// `check_kernel_name` throws an Error that lists them.
INDUCE_API void check_kernel_name(std::string_view name);

// Functions that map latent functions to probabilities: "auto"; "logistic" and "probit" for two classes; "softmax" for
// more; "ordinal" for ordered classes.
INDUCE_API const std::vector<std::string>& likelihood_names();

// Initial theta. The library chooses unset members.
struct Start {
  std::optional<double> signal_std;
  std::optional<double> lengthscale;
  std::optional<double> noise_std;
};

// How features are transformed before they enter the kernel.
enum class Warp {
  automatic,    // chosen by the fit, like the kernel (the paper's methods: none)
  none,         // standardised
  yeo_johnson,  // a power transform of each feature towards normality, then standardised
};
INDUCE_API const std::vector<std::string>& warp_names();  // "auto", "none", "yeo-johnson"
INDUCE_API std::string_view name_of(Warp warp);
INDUCE_API Warp warp_from_name(std::string_view name);  // throws an Error that lists them

struct Options {
  Method method = Method::automatic;
  std::size_t inducing = 0;          // number of inducing inputs m; 0: chosen by the library
  std::string kernel = "auto";       // chosen by the fit (docs/choosing.md); the paper's methods: se
  std::string likelihood = "auto";   // logistic for two classes, softmax for more
  std::optional<bool> ard;           // one length-scale per feature; unset: the method's default
  std::optional<bool> learn_inputs;  // optimise the inducing inputs; unset: the method's default
  std::optional<bool> noise;         // a noise term in the kernel; unset: the method's default
  std::optional<bool> mean;          // a learned constant mean; unset: the method's default
  Warp warp = Warp::automatic;       // stationary kernels fit heavy-tailed features badly
  bool standardize = true;           // features to mean 0 and variance 1, as in the paper
  int max_iter = 0;                  // outer iterations; 0: the method's default limit
  double max_time = std::numeric_limits<double>::infinity();  // seconds; the best model so far is returned
  // How much work a gain is worth: convergence, growth and the choice of a kernel ask for gains of 1/effort. vi-newton only.
  double effort = 1;
  std::uint64_t seed = 0;  // of k-means, minibatches and held-out rows; the same seed gives the same bits
  int threads = 0;         // 0: all cores available to this process
  // Bytes that the fit may use; what it does not need caches n x m arrays, which saves work. 0: no limit; the cache has all of
  // them if they fit a quarter of the free memory, otherwise 512 MiB or that quarter, whichever is less. Results do not
  // depend on it.
  std::size_t memory = 0;
  // A table with more rows (or 2^23 cells) is large: the fit is planned, and its first stages run, with this many of its
  // rows. The last stages use all rows.
  std::size_t sample_rows = std::size_t{1} << 18;
  double step = 1.0;      // step rate of svi-adadelta: the paper's choice on most data sets
  std::size_t batch = 0;  // rows per step of svi-adadelta; 0: 50 below 5,000 rows, else n/100
  Start start;
  // A model file. The fit starts from its kernel, parameters, inducing inputs and feature map instead of choosing them, and
  // takes fewer passes. The columns, their kinds and the classes must be the same. Empty: none.
  std::string start_from;
  // One for each class: the probabilities of the model are those for classes that are so many times as frequent, odds
  // multiplied at every value of the latent functions. The fit does not see them; the means of its result are shifted, and
  // Report::leave_one_out and cross_validation are those without. Empty: none. Logistic and softmax only.
  std::vector<double> class_weights;
  // File for the state of the fit, so that the fit can be resumed after its process has died; empty: none.
  // Written atomically at the start and at the end of each stage: a resumed fit repeats the stage that was stopped. vi-jj,
  // vi-jj-tight, vi-jj-hybrid, vi-taylor and svi-adadelta have one stage and write between iterations, and when they
  // are stopped. vi-jj-full and svi-lbfgs start again. The time for writing is not counted.
  std::string checkpoint;
  double checkpoint_every = 60;  // seconds between two writes within a stage
  // Free-form notes stored in the checkpoint (see read_checkpoint_notes).
  std::map<std::string, std::string> checkpoint_notes;
  // Checkpoint to resume from. The result is bitwise identical to that of a fit that was never stopped. Data
  // and options must be the same, except max_iter, max_time, threads, memory, callbacks and output files.
  std::string resume;

  bool trace_elbo = false;  // compute the true bound after each iteration (not counted in the time)

  // Called after every iteration, on the caller's thread; return false to stop with the best model
  // so far. The time it takes is not counted in the report.
  std::function<bool(const Progress&)> on_iteration;

  // Polled many times per second, on the caller's thread, also within an iteration: an iteration of a large
  // fit takes minutes. Return true to stop with the best model so far; if there is none yet, fit() throws.
  std::function<bool()> stop;
};

}  // namespace induce
