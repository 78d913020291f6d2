// What a fit may be told. Every member has a default that carries its reason; none needs setting.
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

namespace induce {

struct Progress;

enum class Method {
  automatic,     // the best the library has
  vi_jj,         // Alg. 1 of the paper with the Jaakkola-Jordan bound
  vi_jj_full,    // theta and xi together by L-BFGS-B
  vi_jj_hybrid,  // stage 1 of vi_jj, stage 2 over theta and xi
  vi_taylor,     // Alg. 1 with the Taylor expansion
  svi_adadelta,  // the stochastic baseline
  svi_lbfgs,     // the same bound, all rows, L-BFGS-B
  vi_jj_tight,   // vi_jj with a smaller price of sparsity: still a lower bound, never a worse one
  vi_newton,     // the true bound at its optimal q; length-scales, mean and inputs learned
};

// "vi-jj", ... in the order of the enum. `method_from_name` throws an Error that lists them.
const std::vector<std::string>& method_names();
std::string_view name_of(Method method);
Method method_from_name(std::string_view name);

// The kernels: se, matern12, matern32, matern52, matern:NU (0.1 <= NU <= 30), and sums such as se+matern12.
// `check_kernel_name` throws an Error that lists them.
void check_kernel_name(std::string_view name);

// What turns the latent function into the probability of the second class: "auto", "logistic", "probit".
const std::vector<std::string>& likelihood_names();

// Where theta starts. Unset members take the library's choice.
struct Start {
  std::optional<double> signal_std;
  std::optional<double> lengthscale;
  std::optional<double> noise_std;
};

// How features are brought into shape before the kernel sees them.
enum class Warp {
  automatic,    // of the two below, the one with the better bound (methods of the paper: none)
  none,         // standardised
  yeo_johnson,  // a power of each feature that makes it look most normal, then standardised
};
const std::vector<std::string>& warp_names();  // "auto", "none", "yeo-johnson"
std::string_view name_of(Warp warp);
Warp warp_from_name(std::string_view name);  // throws an Error that lists them

struct Options {
  Method method = Method::automatic;
  std::size_t inducing = 0;          // number of inducing inputs m; 0: the library chooses
  std::string kernel = "se";         // the squared exponential had the best bound on most tables
  std::string likelihood = "auto";   // the logistic, which every method takes
  std::optional<bool> ard;           // a length-scale per feature; unset: as the method's source has it
  std::optional<bool> learn_inputs;  // move the inducing inputs; unset: as the method's source has it
  std::optional<bool> noise;         // a noise term in the kernel; unset: as the method's source has it
  std::optional<bool> mean;          // a learned constant mean; unset: as the method's source has it
  Warp warp = Warp::automatic;       // heavy tails cost a stationary kernel dearly
  bool standardize = true;           // features to mean 0 and variance 1, as the paper does
  int max_iter = 0;                  // outer iterations; 0: the method's own limit
  double max_time = std::numeric_limits<double>::infinity();  // seconds; the best model so far is returned
  std::uint64_t seed = 0;  // k-means and minibatches; the same seed gives the same bits
  int threads = 0;         // 0: all cores that this process may use
  // Bytes that may go to arrays of n x m numbers, which save work where they fit; 0: 512 MiB, or a quarter of
  // the machine's memory if that is less. Results do not depend on it.
  std::size_t memory = 0;
  double step = 1.0;      // svi-adadelta's step rate: the paper's choice on most sets
  std::size_t batch = 0;  // svi-adadelta's rows per step; 0: 50 under 5,000 rows, else n/100
  Start start;
  // A file that the state of the fit is written to, so that it can go on after its process has died; empty:
  // none. Written whole or not at all, in the pauses between iterations and when the fit is stopped; not
  // counted in time.
  std::string checkpoint;
  double checkpoint_every = 60;  // seconds between two writes: little is lost, and nothing is felt
  // The caller's own, kept in the checkpoint (see read_checkpoint_notes).
  std::map<std::string, std::string> checkpoint_notes;
  // A checkpoint to go on from. The fit then ends with the same bits as one that was never stopped. Data and
  // options must be the same, but for max_iter, max_time, threads, memory and what is only watched or
  // written.
  std::string resume;

  bool trace_elbo = false;  // compute the true bound after each iteration (its time is not counted)

  // Called after every iteration, on the caller's thread; return false to stop with the best model
  // so far. Its time is not counted in the report.
  std::function<bool(const Progress&)> on_iteration;

  // Asked many times a second, on the caller's thread and also within an iteration: an iteration of a large
  // fit takes minutes. Return true to stop with the best model so far; if there is none yet, fit() throws.
  std::function<bool()> stop;
};

}  // namespace induce
