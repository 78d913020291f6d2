#include "fit/plan_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>

#include <induce/error.hpp>

#include "fit/start_model.hpp"
#include "machine/memory.hpp"
#include "train/grow_terms.hpp"
#include "train/memory_needed.hpp"
#include "train/plan_kernels.hpp"

namespace induce::detail {
namespace {

Targets make_targets(const MemoryStore& rows, Index classes) {
  Vector y(rows.n());
  for (Index i = 0; i < y.size(); ++i) y[i] = classes > 2 ? rows.label(i) : rows.label(i) == 1 ? 1 : -1;
  return {y, rows.weight()};
}

// The root mean variance of the numbers in the model's units. Extreme values would leave no range for
// length-scales and inducing inputs.
double spread_of(const MemoryStore& rows, const Encoding& encoding, Workers& workers) {
  constexpr double least = 1e-50, most = 1e50;
  Standardizer standardizer = Standardizer::fit(rows, workers);
  for (const Index f : standardizer.constant) standardizer.scale[f] = 0;
  double numbers = 0;
  for (Index f = 0; f < rows.columns(); ++f) {
    const bool is_number = encoding.is_plain() || encoding.codes()[f].is_number;
    numbers += is_number ? 1 : 0;
    if (!is_number) standardizer.scale[f] = 0;
  }
  const double spread = standardizer.scale.stableNorm() / std::sqrt(numbers);
  if (numbers == 0 || spread == 0) return 1;
  if (!(spread >= least && spread <= most)) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", spread);
    throw data_error(std::string("the features' standard deviation is ") + text +
                     ": unless they are standardised, it must be between 1e-50 and 1e50");
  }
  return spread;
}

// The candidate feature maps, with their names.
void add_feature_maps(const Options& options, const Encoding& encoding, bool may_choose, Workers& workers,
                      TrainingPlan& plan) {
  const MemoryStore& rows = plan.rows;
  const auto add = [&](FeatureMap map, const std::string& name) {
    plan.maps.push_back(std::move(map));
    plan.map_names.push_back(name);
  };
  if (!options.standardize) return add(FeatureMap::centred(rows, workers, encoding), "none");
  const bool choose = options.warp == Warp::automatic && may_choose;
  const FeatureMap plain = FeatureMap::standardized(rows, workers, encoding);
  if (options.warp == Warp::none || (options.warp == Warp::automatic && !may_choose))
    return add(plain, "none");
  const FeatureMap all = FeatureMap::yeo_johnson(rows, workers, FeatureMap::Warped::all, encoding);
  if (!choose) return add(all, all.name());
  add(plain, "none");
  if (encoding.is_plain())
    if (std::optional<FeatureMap> alike = FeatureMap::one_scale(rows, workers))
      add(*std::move(alike), "none, one scale for all features");
  if (all.warped_features() == 0) return;
  add(all, all.name());
  const FeatureMap tails = FeatureMap::yeo_johnson(rows, workers, FeatureMap::Warped::heavy_tails, encoding);
  if (tails.warped_features() > 0 && tails.warped_features() < all.warped_features())
    add(tails, "yeo-johnson of heavy tails");
}

const Likelihood& supported_likelihood(const Options& options, const MethodTraits& method,
                                       std::size_t classes) {
  const Likelihood& chosen = likelihood(options.likelihood, classes);
  const auto supported = [&](const MethodTraits& by) {
    if (chosen.latent_functions() > 1) return by.method == Method::vi_newton;
    return by.rule.empty() ? chosen.classes() == 2 : chosen.supports(by.rule);
  };
  if (supported(method)) return chosen;
  if (chosen.latent_functions() > 1)
    throw usage_error("method = " + std::string(method.name) + ": it is for two classes, and the data has " +
                      std::to_string(classes) + "; use vi-newton, the default, or merge or drop classes");
  std::string able;
  for (const MethodTraits& other : methods)
    if (supported(other)) able += (able.empty() ? "" : ", ") + std::string(other.name);
  throw usage_error("likelihood = " + std::string(chosen.name()) + ": the method " +
                    std::string(method.name) + " does not support it; use one of: " + able);
}

// All of K and V where they fit a quarter of the free memory. A part of them saves little, so otherwise the limit
// is small: n = 1e6 and m = 500 must stay within 1 GiB over the data (docs/performance.md).
std::size_t default_memory(double n, double m) {
  constexpr double small = std::size_t{512} << 20;
  const double quarter = available_memory().least() / 4;
  const double everything = 2 * sizeof(double) * m * (n + 1024);  // the last block is a whole one
  return static_cast<std::size_t>(everything <= quarter ? everything : std::min(small, quarter));
}

// What the limit leaves for K and V. Rows in files can always be kept within it, unless the algebra needs more.
std::size_t memory_left(const TrainingPlan& plan, const FitSize& size, const MemoryNeeded& needed,
                        double bytes_of_table) {
  constexpr double program = std::size_t{128} << 20;
  const auto limit = static_cast<double>(plan.options.memory);
  const auto left = [&](const MemoryNeeded& of) { return limit - of.total() - bytes_of_table - program; };
  if (left(needed) < 0 && plan.all && !plan.all->in_memory) {
    const std::string smaller =
        smaller_fit(plan.method, size, [&](const MemoryNeeded& of) { return left(of) >= 0; });
    throw usage_error("memory = " + memory_text(limit) + ": the fit needs at least " +
                      memory_text(limit - left(needed)) + (smaller.empty() ? "" : "; use " + smaller));
  }
  return static_cast<std::size_t>(std::max(left(needed), 0.0));
}

// Each latent function has matrices of m x m, so many classes leave room for fewer inducing inputs.
std::size_t most_inducing_of(Index functions) {
  constexpr double numbers = 4e7;  // m^2 times the number of functions
  return static_cast<std::size_t>(std::sqrt(numbers / static_cast<double>(functions)));
}

// Names of columns in the terms of a kernel become their numbers, from 0.
std::string with_column_numbers(const std::string& kernel, const Names& names) {
  if (!has_terms(kernel)) return kernel;
  const auto number_of = [&](const auto& of_name, const std::string& column) -> std::string {
    for (std::size_t c = 0; c < names.features.size(); ++c)
      if (names.features[c] == column) return std::to_string(c);
    if (column.find_first_not_of("0123456789") == std::string::npos) return column;
    // A name may contain an @ of its own, so that of knots comes second.
    if (const auto [rest, knots] = without_knots(column); !knots.empty())
      return of_name(of_name, std::string(rest)) + std::string(knots);
    std::string known;
    for (std::size_t c = 0; c < std::min<std::size_t>(names.features.size(), 10); ++c)
      known += (c ? ", " : "") + names.features[c];
    throw usage_error("kernel = " + kernel + ": there is no column '" + column + "'; " +
                      (known.empty() ? "columns have numbers, from 0" : "the data has " + known) +
                      (names.features.size() > 10 ? ", ..." : ""));
  };
  std::string out, word;
  bool in_list = false;
  for (const char c : kernel + '+') {
    const bool ends = c == '+' || (in_list && (c == ',' || c == '*'));
    if (!ends && !(c == ':' && (word == "mains" || word == "pairs"))) {
      word += c;
      continue;
    }
    out += (in_list ? number_of(number_of, word) : word) + c;
    if (!ends) in_list = true;
    if (c == '+') in_list = false;
    word.clear();
  }
  out.pop_back();
  return out;
}

// The fewest values that the terms named in a kernel have. A column must have two values, and all terms together not too many.
Index named_values(const std::string& kernel, TableView table, const Names& names, const Encoding& encoding) {
  constexpr Index most = 5000;
  const TermList named(kernel, static_cast<Index>(table.d));
  const auto size = [&](Index column, Index knots) {
    const double* x = table.x + column;
    bool varies = false;
    for (std::size_t i = 1; i < table.n && !varies; ++i) {
      const double other = x[i * table.d];
      varies = std::isnan(*x) ? !std::isnan(other) : other != *x;
    }
    if (!varies)
      throw usage_error(
          "kernel = " + kernel + ": column " +
          (names.features.empty() ? std::to_string(column) : "'" + names.features[column] + "'") +
          " has one value only, so it has no term");
    if (encoding.is_plain()) return knots;
    return encoding.features_of(column).second + (encoding.value_of(column) >= 0 ? knots - 1 : 0);
  };
  Index values = 0;
  const auto knots = [](Index of_name, Index fewest) { return of_name > 0 ? of_name : fewest; };
  const auto pair_knots = [&](Index column) {
    return knots(named.named_pair_knots[column], fewest_knots_of_pair);
  };
  for (const Index column : named.mains)
    values += size(column, knots(named.named_knots[column], fewest_knots_of_main));
  for (const auto& [first, second] : named.pairs)
    values += size(first, pair_knots(first)) * size(second, pair_knots(second));
  if (values > most)
    throw usage_error("kernel = " + kernel + ": its terms have " + std::to_string(values) +
                      " values, more than " + std::to_string(most) +
                      "; name fewer of them, with fewer knots, or columns with fewer levels");
  return values;
}

// The size that the fit may reach.
FitSize size_of(const TrainingPlan& plan, Index features, Index named, const Options& options,
                const Workers& workers) {
  const Index functions = plan.likelihood.latent_functions();
  const auto n = static_cast<double>(plan.rows.n()), all = static_cast<double>(plan.n);
  const bool may_have_terms =
      has_terms(plan.kernel) || (plan.kernel == "auto" && plan.method.defaults.choose_model);
  const bool all_here = plan.all && plan.all->in_memory;
  const auto values = [may_have_terms, named](double rows, double C) {
    const Index most = most_term_values(static_cast<Index>(rows), static_cast<Index>(C));
    return may_have_terms ? static_cast<double>(std::max(named, most)) : 0;
  };
  const auto follow = [=, &plan](FitSize& of) {
    of.values = values(all_here ? of.all : plan.all ? all : all * of.n / n, of.functions);
    if (plan.find_inducing)
      of.m = static_cast<double>(
          std::min(plan.method.defaults.inducing(static_cast<std::size_t>(plan.all ? of.all : of.n)),
                   most_inducing_of(static_cast<Index>(of.functions))));
  };
  return {.n = n,
          .d = static_cast<double>(features),
          .m = static_cast<double>(plan.inducing),
          .values = values(all, static_cast<double>(functions)),
          .all = plan.all ? static_cast<double>(plan.all->n) : 0,
          .all_here = all_here,
          .functions = static_cast<double>(functions),
          .learn_inputs = options.learn_inputs.value_or(plan.method.defaults.learn_inputs),
          .threads = workers.size(),
          .kept_limit = static_cast<double>(plan.memory),
          .limit = static_cast<double>(options.memory),
          .checkpoints = !options.checkpoint.empty(),
          .follow = follow};
}

}  // namespace

TrainingPlan plan_fit(const FitRows& data, const Options& options, Workers& workers) {
  const std::optional<StartModel> start = start_model(options, data.names(), data.facts().has_gaps);
  const std::string kernel =
      start ? start->fitted.frame.kernel->name() : with_column_numbers(options.kernel, data.names());
  if (has_terms(kernel) && traits_of(options.method).method != Method::vi_newton)
    throw usage_error("kernel = " + options.kernel +
                      ": terms need the method vi-newton, the default; this is " +
                      std::string(traits_of(options.method).name));
  const MemoryStore& rows = data.rows();
  const TableView table = rows.table();
  const Names& names = data.names();
  const MethodTraits& method = traits_of(options.method);
  const MethodDefaults& defaults = method.defaults;
  const Likelihood& chosen = supported_likelihood(options, method, names.classes.size());
  const Encoding encoding =
      start ? start->map.encoding : Encoding::find(table, names, workers, data.facts().has_gaps);
  const Index features = encoding.is_plain() ? static_cast<Index>(table.d) : encoding.features();
  const Index named = has_terms(kernel) && !start ? named_values(kernel, table, names, encoding) : 0;
  const KernelSetting chosen_setting{.d = features,
                                     .ard = options.ard.value_or(defaults.ard),
                                     .noise = options.noise.value_or(defaults.noise),
                                     .spread = options.standardize ? 1 : spread_of(rows, encoding, workers),
                                     .group_of = encoding.group_of()};
  const KernelSetting& setting = start ? start->setting : chosen_setting;
  const std::size_t n = static_cast<std::size_t>(data.all() ? data.all()->n : rows.n());
  const std::size_t inducing =
      !has_joint_part(kernel) ? 0
      : options.inducing      ? options.inducing
      : start                 ? static_cast<std::size_t>(start->fitted.frame.m())
                              : std::min(defaults.inducing(n), most_inducing_of(chosen.latent_functions()));
  TrainingPlan plan{
      .method = method,
      .options = options,
      .rows = rows,
      .targets = make_targets(rows, chosen.classes()),
      .all = data.all(),
      .table_rows = static_cast<std::size_t>(data.facts().rows),
      .groups = data.groups(),
      .n = data.all() ? data.facts().with_weight() : rows.user_rows(),
      .sample = std::min(rows.user_rows(),
                         static_cast<Index>(rows_of_a_sample(static_cast<std::size_t>(features)))),
      .table_without = data.table_without(),
      .maps = {},
      .map_names = {},
      .start = {},
      .kernels = {},
      .setting = setting,
      .kernel = kernel,
      .likelihood = chosen,
      .inducing = static_cast<Index>(inducing),
      .find_inducing = options.inducing == 0 && inducing > 0 && !start,
      .memory = options.memory ? 0 : default_memory(static_cast<double>(n), static_cast<double>(inducing)),
      .seed = options.seed,
      .step = options.step,
      .batch = static_cast<Index>(options.batch ? options.batch
                                  : n < 5000    ? 50
                                                : n / 100)};
  const double bytes_of_table = static_cast<double>(sizeof(double) * table.n * table.d);
  const FitSize size = size_of(plan, features, named, options, workers);
  const MemoryNeeded needed = require_memory(method, size, available_memory());
  if (options.memory) plan.memory = memory_left(plan, size, needed, bytes_of_table);
  if (start) {
    plan.maps = {start->map};
    plan.map_names = {start->map.name()};
    plan.start = start->fitted;
  } else {
    add_feature_maps(options, encoding, defaults.choose_model, workers, plan);
  }
  std::vector<Index> all(static_cast<std::size_t>(rows.user_rows()));
  std::iota(all.begin(), all.end(), Index{0});
  const Draw drawn = rows.draw(all);
  plan.kernels = plan_kernels(plan, drawn);
  return plan;
}

}  // namespace induce::detail
