// A small random problem for a fit, with the kinds of difficulty that real data have.
#pragma once

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <induce/fit.hpp>

#include "linalg/random.hpp"
#include "kernel/shape.hpp"

namespace induce::testing {

struct GeneratedProblem {
  std::uint64_t seed = 0;
  std::size_t d = 0;
  std::vector<double> x;
  std::vector<int> y;
  std::vector<double> weights;
  Options options;

  TableView view() const { return {x.data(), y.size(), d}; }
  Fit fit() const { return induce::fit(view(), y, options, weights); }

  // Description printed by a failure.
  std::string text() const {
    std::ostringstream out;
    out << "INDUCE_SEED=" << seed << ": " << name_of(options.method) << ", n = " << y.size() << ", d = " << d
        << ", m = " << options.inducing << ", " << options.kernel << ", max_iter = " << options.max_iter
        << (options.standardize ? "" : ", not standardised") << (weights.empty() ? "" : ", weights")
        << ", warp " << name_of(options.warp);
    return out.str();
  }
};

class ProblemGenerator {
 public:
  explicit ProblemGenerator(std::uint64_t seed) : random_(seed) { problem_.seed = seed; }

  GeneratedProblem make(Method method) {
    problem_.options.method = method;
    choose_size();
    choose_options();
    for (std::size_t f = 0; f < problem_.d; ++f) fill_feature(f);
    if (one_in(3)) repeat_rows();
    choose_labels();
    if (one_in(2)) choose_weights();
    return problem_;
  }

 private:
  bool one_in(std::uint64_t k) { return random_.below(k) == 0; }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  double magnitude(double low, double high) { return std::pow(10.0, between(low, high)); }
  std::size_t n() const { return problem_.y.size(); }
  std::optional<bool> yes_no_or_neither() {
    const auto draw = random_.below(3);
    return draw == 2 ? std::nullopt : std::optional(draw == 1);
  }

  // The general Matern kernels are slow: smaller problems for them.
  void choose_size() {
    const std::vector<std::string>& kernels = example_shapes();
    const bool slow = one_in(8);
    problem_.options.kernel = kernels[slow ? 4 + random_.below(kernels.size() - 4) : random_.below(4)];
    problem_.d = 1 + random_.below(6);
    problem_.y.resize(2 + random_.below(slow ? 15 : 59));
    problem_.x.resize(n() * problem_.d);
    problem_.options.inducing = one_in(4) ? 0 : 1 + random_.below(slow ? std::min<std::size_t>(n(), 5) : n());
    problem_.options.max_iter = slow ? 3 : std::vector{1, 2, 5, 20, 0}[random_.below(5)];
  }

  void choose_options() {
    Options& options = problem_.options;
    options.seed = random_.bits();
    options.ard = yes_no_or_neither();
    options.noise = yes_no_or_neither();
    options.mean = yes_no_or_neither();
    options.learn_inputs = yes_no_or_neither();
    options.standardize = !one_in(5);
    options.warp = options.standardize ? static_cast<Warp>(random_.below(3)) : Warp::none;
    options.trace_elbo = one_in(4);
    options.threads = one_in(8) ? 3 : 1;
    options.memory = one_in(2) ? 0 : 1;  // one byte: nothing is cached
    if (one_in(4)) options.batch = 1 + random_.below(n());
    if (one_in(4)) options.start = {magnitude(-2, 2), magnitude(-1, 2), magnitude(-2, 1)};
  }

  // Units from 1e-150 to 1e150; without standardisation, one shared unit from 1e-45 to 1e45.
  void fill_feature(std::size_t f) {
    const auto kind = random_.below(7);
    const double widest = problem_.options.standardize ? 150 : 45;
    if (f == 0 || problem_.options.standardize) unit_ = one_in(3) ? magnitude(-widest, widest) : 1;
    for (std::size_t i = 0; i < n(); ++i) {
      const double z = random_.normal();
      double value = z;
      if (kind == 1) value = 3.25;                   // constant
      if (kind == 2) value = std::round(z);          // few values
      if (kind == 3) value = z > 0;                  // two values
      if (kind == 4) value = 1e9 + z;                // far from zero
      if (kind == 5) value = std::exp(3 * z);        // heavy tail
      if (kind == 6 && one_in(20)) value = 1e4 * z;  // outliers
      problem_.x[i * problem_.d + f] = unit_ * value;
    }
  }

  void repeat_rows() {
    for (std::size_t i = 0; i < n(); ++i)
      if (one_in(2))
        std::copy_n(&problem_.x[random_.below(n()) * problem_.d], problem_.d, &problem_.x[i * problem_.d]);
  }

  void choose_labels() {
    const auto kind = random_.below(3);
    const double middle = problem_.x[random_.below(n()) * problem_.d];
    for (std::size_t i = 0; i < n(); ++i) {
      if (kind == 0) problem_.y[i] = one_in(2);                            // random
      if (kind == 1) problem_.y[i] = problem_.x[i * problem_.d] > middle;  // separable
      if (kind == 2) problem_.y[i] = 0;  // only one row of class 1, set below
    }
    problem_.y[0] = 0;
    problem_.y[1] = 1;
  }

  void choose_weights() {
    const auto kind = random_.below(3);
    problem_.weights.resize(n());
    for (double& weight : problem_.weights) {
      weight = kind == 0 ? static_cast<double>(random_.below(4)) : kind == 1 ? magnitude(-3, 3) : 1;
      if (one_in(5)) weight = 0;
    }
    problem_.weights[0] = problem_.weights[1] = 1;  // the first row of each class
  }

  Random random_;
  GeneratedProblem problem_;
  double unit_ = 1;
};

inline GeneratedProblem generated_problem(std::uint64_t seed, Method method) {
  return ProblemGenerator(seed).make(method);
}

}  // namespace induce::testing
