#include "fit/plan_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <induce/error.hpp>

#include "rows/memory.hpp"
#include "rows/reducer.hpp"
#include "train/memory_needed.hpp"

namespace induce {
namespace {

Targets make_targets(const WeightedRows& rows, std::span<const int> labels) {
  Vector y(rows.n());
  for (Index i = 0; i < y.size(); ++i) y[i] = labels[rows.rows[i]] == 1 ? 1.0 : -1.0;
  return {y, rows.weight};
}

// The weighted fraction of rows in the second class.
double base_rate(const Targets& targets, Workers& workers) {
  const auto weight_of = [&](bool all) {
    return sum_over_rows(targets.n(), workers, [&](Index first, Index count) {
      double sum = 0;
      for (Index i = first; i < first + count; ++i) sum += all || targets.y[i] > 0 ? targets.weight[i] : 0;
      return sum;
    });
  };
  return weight_of(false) / weight_of(true);
}

// The root mean variance of the features in the model's units. Extreme values would leave no range for
// length-scales and inducing inputs.
double spread_of(const WeightedRows& rows, Workers& workers) {
  constexpr double least = 1e-50, most = 1e50;
  Standardizer standardizer = Standardizer::fit(rows, workers);
  for (const Index f : standardizer.constant) standardizer.scale[f] = 0;
  const double spread = standardizer.scale.stableNorm() / std::sqrt(static_cast<double>(rows.d()));
  if (spread == 0) return 1;
  if (!(spread >= least && spread <= most)) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", spread);
    throw data_error(std::string("the features' standard deviation is ") + text +
                     ": unless they are standardised, it must be between 1e-50 and 1e50");
  }
  return spread;
}

// The candidate feature maps.
std::vector<FeatureMap> feature_maps(const WeightedRows& rows, const Options& options, bool may_choose,
                                     Workers& workers) {
  if (!options.standardize) return {FeatureMap::centred(rows, workers)};
  std::vector<FeatureMap> maps;
  const Warp warp = options.warp == Warp::automatic && !may_choose ? Warp::none : options.warp;
  if (warp != Warp::yeo_johnson) maps.push_back(FeatureMap::standardized(rows, workers));
  if (warp != Warp::none) {
    maps.push_back(FeatureMap::yeo_johnson(rows, workers));
    const bool same = (maps.back().exponent.array() == 1).all();
    if (same && maps.size() > 1) maps.pop_back();
  }
  return maps;
}

const Likelihood& supported_likelihood(const Options& options, const MethodRow& method) {
  const Likelihood& chosen = likelihood(options.likelihood);
  if (chosen.latent_functions() != 1) throw std::logic_error("training has one latent function per row");
  if (method.rule.empty() || chosen.supports(method.rule)) return chosen;
  std::string able;
  for (const MethodRow& other : methods)
    if (other.rule.empty() || chosen.supports(other.rule))
      able += (able.empty() ? "" : ", ") + std::string(other.name);
  throw usage_error("likelihood = " + std::string(chosen.name()) + ": the method " +
                    std::string(method.name) + " supports only the logistic likelihood; use one of: " + able);
}

// theta from the caller where given, else from the kernel; the mean matches the base rate.
Prior start_prior(const Kernel& kernel, const Layout& layout, double base_rate, const Likelihood& likelihood,
                  const Start& start) {
  Prior prior{.theta = kernel.start(), .mean = 0, .Z = {}};
  const auto set = [&](const char* name, const std::optional<double>& value) {
    if (!value) return;
    Index at = 0;
    for (const KernelParameter& parameter : kernel.parameters()) {
      if (parameter.name == name) prior.theta.segment(at, parameter.count).setConstant(*value);
      at += parameter.count;
    }
  };
  set("signal_std", start.signal_std);
  set("lengthscales", start.lengthscale);
  set("noise_std", start.noise_std);
  if (layout.mean) prior.mean = likelihood.latent_of(base_rate);
  return prior;
}

// All of K and V where they fit a quarter of the free memory. A part of them saves little, so otherwise the limit
// is small: n = 1e6 and m = 500 must stay within 1 GiB over the data (docs/performance.md).
std::size_t default_memory(double n, double m) {
  constexpr double small = std::size_t{512} << 20;
  const double quarter = available_memory().least() / 4;
  const double everything =
      static_cast<double>(cached_bytes(Precision::full)) * m * (n + 1024);  // the last block is a whole one
  return static_cast<std::size_t>(everything <= quarter ? everything : std::min(small, quarter));
}

// The size that the fit may reach.
FitSize size_of(const TrainingPlan& plan, const Options& options, const Workers& workers) {
  const Index n = plan.rows.n(), positive = (plan.targets.y.array() > 0).count();
  return {.n = static_cast<double>(n),
          .d = static_cast<double>(plan.rows.d()),
          .m = static_cast<double>(plan.inducing),
          .minority = static_cast<double>(std::min(positive, n - positive)),
          .find_inducing = plan.find_inducing,
          .learn_inputs = plan.layout.inputs,
          .threads = workers.size(),
          .kept_limit = static_cast<double>(plan.memory),
          .checkpoints = !options.checkpoint.empty()};
}

}  // namespace

TrainingPlan plan_fit(TableView table, std::span<const int> labels, std::span<const double> weights,
                      const Options& options, Workers& workers) {
  const MethodRow& method = row_of(options.method);
  const MethodDefaults& defaults = method.defaults;
  const Likelihood& chosen = supported_likelihood(options, method);
  WeightedRows rows =
      defaults.merge_rows ? merged_rows(table, labels, weights, workers) : all_rows(table, weights);
  Targets targets = make_targets(rows, labels);
  const auto kernel =
      make_kernel(options.kernel, {.d = static_cast<Index>(table.d),
                                   .ard = options.ard.value_or(defaults.ard),
                                   .noise = options.noise.value_or(defaults.noise),
                                   .spread = options.standardize ? 1 : spread_of(rows, workers)});
  const Layout layout{.kernel = kernel,
                      .mean = options.mean.value_or(defaults.mean),
                      .inputs = options.learn_inputs.value_or(defaults.learn_inputs)};
  const std::size_t n = static_cast<std::size_t>(rows.n());
  TrainingPlan plan{
      .method = method,
      .rows = std::move(rows),
      .targets = std::move(targets),
      .maps = {},
      .kernel = kernel,
      .likelihood = chosen,
      .layout = layout,
      .start = {},
      .inducing = static_cast<Index>(options.inducing ? options.inducing : defaults.inducing(n)),
      .find_inducing = options.inducing == 0,
      .memory = options.memory,
      .seed = options.seed,
      .step = options.step,
      .batch = static_cast<Index>(options.batch ? options.batch
                                  : n < 5000    ? 50
                                                : n / 100)};
  if (plan.memory == 0)
    plan.memory = default_memory(static_cast<double>(n), static_cast<double>(plan.inducing));
  plan.start = start_prior(*kernel, layout, base_rate(plan.targets, workers), chosen, options.start);
  require_memory(memory_needed(method, size_of(plan, options, workers)), workers.size(), available_memory());
  plan.maps = feature_maps(plan.rows, options, defaults.choose_warp, workers);
  return plan;
}

}  // namespace induce
