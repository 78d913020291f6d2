// The pipeline, top to bottom: check, standardise, place the inducing inputs, start theta, train, report.
#include <induce/fit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "train/kmeans.hpp"
#include "table/feature_map.hpp"
#include "io/atomic_file.hpp"
#include "linalg/blas.hpp"
#include "fit/fit_identity.hpp"
#include "model/state.hpp"
#include "text/words.hpp"
#include "train/growth.hpp"
#include "train/memory_needed.hpp"
#include "train/train.hpp"

namespace induce {
namespace {

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw usage_error(otherwise);
}

void check_options(TableView X, const Options& options) {
  check_kernel_name(options.kernel);
  require(options.inducing <= X.n, "inducing = " + std::to_string(options.inducing) +
                                       ": must be from 1 to the " + std::to_string(X.n) +
                                       " rows of the data");
  require(options.standardize || options.warp != Warp::yeo_johnson,
          "warp = yeo-johnson: ends in standardised features, but standardize is off");
  require(options.max_iter >= 0, "max_iter = " + std::to_string(options.max_iter) + ": must be at least 1");
  require(options.max_time > 0, "max_time = " + shortest(options.max_time) + ": must be positive");
  require(options.threads >= 0, "threads = " + std::to_string(options.threads) + ": must be at least 1");
  require(options.step > 0 && std::isfinite(options.step),
          "step = " + shortest(options.step) + ": must be positive");
  require(options.batch <= X.n, "batch = " + std::to_string(options.batch) + ": must be from 1 to the " +
                                    std::to_string(X.n) + " rows of the data");
  require(options.checkpoint_every >= 0,
          "checkpoint_every = " + shortest(options.checkpoint_every) + ": must be at least 0 seconds");
  for (const auto& start : {options.start.signal_std, options.start.lengthscale, options.start.noise_std})
    require(!start || (*start > 0 && std::isfinite(*start)),
            "start = " + shortest(start.value_or(0)) + ": every part must be positive");
}

void check_data(TableView X, std::span<const int> y, const Names& names) {
  if (X.n == 0 || X.d == 0) throw data_error("the data has no rows or no features");
  if (y.size() != X.n)
    throw data_error("there are " + std::to_string(X.n) + " rows but " + std::to_string(y.size()) +
                     " labels");
  if (!names.features.empty() && names.features.size() != X.d)
    throw data_error("there are " + std::to_string(X.d) + " features but " +
                     std::to_string(names.features.size()) + " feature names");
  std::size_t count[2] = {0, 0};
  for (std::size_t i = 0; i < X.n; ++i) {
    if (y[i] != 0 && y[i] != 1)
      throw data_error("label " + std::to_string(y[i]) + " in row " + std::to_string(i) + ": must be 0 or 1");
    ++count[y[i]];
    for (std::size_t f = 0; f < X.d; ++f)
      if (!std::isfinite(X.row(i)[f]))
        throw data_error("row " + std::to_string(i) + ", feature " + std::to_string(f) +
                         " is not a finite number");
  }
  for (int k : {0, 1})
    if (count[k] == 0)
      throw data_error("all labels are '" + names.classes[1 - k] + "': two classes are needed");
}

void check_weights(std::span<const int> y, std::span<const double> weights) {
  if (weights.empty()) return;
  if (weights.size() != y.size())
    throw data_error("there are " + std::to_string(y.size()) + " rows but " + std::to_string(weights.size()) +
                     " weights");
  double sum[2] = {0, 0};
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i])))
      throw data_error("weight " + shortest(weights[i]) + " in row " + std::to_string(i) +
                       ": must be a number from 0 up");
    sum[y[i]] += weights[i];
  }
  for (int k : {0, 1})
    if (!(sum[k] > 0)) throw data_error("all rows of one class have weight 0: two classes are needed");
}

// For the methods that do not grow: enough for most tables of this size, few enough to be quick.
std::size_t automatic_inducing(std::size_t n) {
  return std::min<std::size_t>(n, std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(n)), 20, 200));
}

std::size_t default_memory() {
  constexpr double enough = std::size_t{512} << 20;
  return static_cast<std::size_t>(std::min(enough, memory_room().least() / 4));
}

// The root of the features' mean variance in the model's units. Far from 1 there would be no room left for
// length-scales and inducing inputs.
double spread_of(const WeightedRows& rows) {
  constexpr double least = 1e-50, most = 1e50;
  Standardizer standardizer = Standardizer::fit(rows);
  for (const Index f : standardizer.constant) standardizer.scale[f] = 0;
  const double spread = standardizer.scale.stableNorm() / std::sqrt(static_cast<double>(rows.d()));
  if (spread == 0) return 1;
  if (!(spread >= least && spread <= most)) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", spread);
    throw data_error(std::string("the features' standard deviation is ") + text +
                     ": if they are not standardised it must be from 1e-50 to 1e50");
  }
  return spread;
}

// sigma_f = 1 and a length-scale of sqrt(d), the typical distance between two standardised rows, leave the
// prior neither flat nor white; the noise is small beside sigma_f, the mean is that of the labels.
Prior start_prior(Index d, const Layout& layout, bool ard, double base_rate, const Start& start) {
  Prior prior;
  prior.hyper.signal_std = start.signal_std.value_or(1.0);
  prior.hyper.lengthscales = Vector::Constant(
      ard ? d : 1, start.lengthscale.value_or(layout.spread * std::sqrt(static_cast<double>(d))));
  prior.hyper.noise_std = layout.noise ? start.noise_std.value_or(0.1) : 0.0;
  if (layout.mean) prior.hyper.mean = std::log(base_rate / (1 - base_rate));
  return prior;
}

// Inverse length-scales; one that all features share tells nothing about any of them.
std::vector<double> relevance_of(const Frame& frame, const FeatureMap& map) {
  std::vector<double> relevance(frame.inverse_l.begin(), frame.inverse_l.end());
  for (const Index f : map.standardizer.constant) relevance[static_cast<std::size_t>(f)] = 0;
  return relevance;
}

std::optional<Metrics> leave_one_out_metrics(const Outcome& outcome) {
  const Targets& targets = outcome.loo_targets;
  const std::size_t n = static_cast<std::size_t>(targets.n());
  if (n == 0) return std::nullopt;
  std::vector<int> y(n);
  for (std::size_t i = 0; i < n; ++i) y[i] = targets.y[static_cast<Index>(i)] > 0;
  return evaluate({outcome.loo_probability.data(), n}, y, {targets.weight.data(), n});
}

Targets make_targets(const WeightedRows& rows, std::span<const int> labels) {
  Vector y(rows.n());
  for (Index i = 0; i < y.size(); ++i) y[i] = labels[rows.rows[i]] == 1 ? 1.0 : -1.0;
  return {y, rows.weight};
}

double base_rate(const Targets& targets) {
  return (targets.y.array() > 0).select(targets.weight, 0.0).sum() / targets.weight.sum();
}

// How large the fit may get.
FitSize size_of(const WeightedRows& rows, const Targets& targets, const TrainingSetup& setup,
                const Options& options, const Workers& workers) {
  const bool grows = setup.method.method == Method::vi_newton;
  const Index n = rows.n(), positive = (targets.y.array() > 0).count();
  const std::size_t found = grows ? most_inducing_found(n) : automatic_inducing(rows.table.n);
  const std::size_t m = options.inducing ? options.inducing : found;
  return {.n = static_cast<double>(n),
          .d = static_cast<double>(rows.d()),
          .m = static_cast<double>(m),
          .minority = static_cast<double>(std::min(positive, n - positive)),
          .learn_inputs = setup.layout.inputs,
          .threads = workers.size(),
          .kept_limit = static_cast<double>(setup.memory),
          .checkpoints = !options.checkpoint.empty()};
}

// Did the budget end the growth? Where no more rows were to be told apart it ends between two sizes of its plan.
bool growth_was_cut(std::size_t m, const WeightedRows& rows, const Options& options, bool learned,
                    const Monitor& monitor) {
  if (!monitor.must_stop() && !std::isfinite(options.max_time)) return false;
  const Growth plan(rows.n(), rows.d(), static_cast<Index>(options.inducing), learned, rows.n());
  for (Stage stage = plan.first(); !stage.last; stage = plan.next(stage, stage.m, INFINITY))
    if (stage.m == static_cast<Index>(m)) return true;
  return false;
}

std::string fewer_inducing(std::size_t m, const Options& options, bool cut, const Monitor& monitor) {
  const std::string asked = std::to_string(options.inducing);
  if (!cut)
    return "only " + std::to_string(m) + noun(m, " inducing input tells", " inducing inputs tell") +
           " different rows apart, not " + asked;
  const std::string why = monitor.must_stop()
                              ? monitor.message(false)
                              : "max_time of " + shortest(options.max_time) + " s leaves no time for more";
  return why + ": the fit has " + std::to_string(m) + " of the " + asked + " inducing inputs asked for";
}

// The maps of the features that may be tried.
std::vector<FeatureMap> feature_maps(const WeightedRows& rows, const Options& options, bool may_choose,
                                     Workers& workers) {
  if (!options.standardize) return {FeatureMap::centred(rows)};
  std::vector<FeatureMap> maps;
  const Warp warp = options.warp == Warp::automatic && !may_choose ? Warp::none : options.warp;
  if (warp != Warp::yeo_johnson) maps.push_back(FeatureMap::standardized(rows));
  if (warp != Warp::none) {
    maps.push_back(FeatureMap::yeo_johnson(rows, workers));
    const bool same = (maps.back().exponent.array() == 1).all();
    if (same && maps.size() > 1) maps.pop_back();
  }
  return maps;
}

// Where the state of the fit is written to, and what of it is there already. A checkpoint that cannot be
// written is told, but ends no fit.
class Checkpoints {
 public:
  Checkpoints(const Checkpoint& fit, const Options& options, Monitor& monitor)
      : fit_(fit), path_(options.checkpoint), monitor_(monitor) {
    if (!path_.empty()) const AtomicFile probe(path_);  // a place that cannot be written to is found now
    keeper_.emplace(
        stored(options),
        path_.empty() ? Keeper::Write() : [this](NamedArrays state) { write(std::move(state)); },
        options.checkpoint_every);
  }
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  Keeper& keeper() { return *keeper_; }
  std::string failure() const { return keeper_->out_of_memory() ? "there is not enough memory" : failure_; }

 private:
  std::optional<NamedArrays> stored(const Options& options) const {
    if (options.resume.empty()) return std::nullopt;
    Checkpoint found = read_checkpoint(options.resume);
    check_same_fit(options.resume, found, fit_);
    return std::move(found.state);
  }

  void write(NamedArrays state) {
    monitor_.off_the_clock([&] {
      Checkpoint now = fit_;
      now.state = std::move(state);
      try {
        write_checkpoint(path_, std::move(now));
        failure_.clear();
      } catch (const Error& error) {
        failure_ = error.what();
      }
    });
  }

  Checkpoint fit_;
  std::string path_, failure_;
  Monitor& monitor_;
  std::optional<Keeper> keeper_;
};

Checkpoint describe(TableView table, std::span<const int> labels, std::span<const double> weights,
                    const Options& options) {
  const bool wanted = !options.checkpoint.empty() || !options.resume.empty();
  return wanted ? describe_fit(table, labels, weights, options) : Checkpoint();
}

}  // namespace

Fit fit(TableView table, std::span<const int> labels, const Options& options, const Names& names,
        std::span<const double> weights) {
  check_data(table, labels, names);
  check_weights(labels, weights);
  check_options(table, options);
  const MethodRow& method = row_of(options.method);
  const blas::SingleThreadedBlas single;  // no bit depends on the number of cores
  Workers workers(options.threads);
  Report report;

  const auto make_model = [&](const Fitted& fitted, const FeatureMap& map) {
    return Model(detail::make_state(names, map, options.kernel, std::string(method.name), fitted));
  };
  Monitor monitor(options, options.max_iter ? options.max_iter : method.max_iter, make_model);

  Checkpoints checkpoints(describe(table, labels, weights, options), options, monitor);
  Keeper& keeper = checkpoints.keeper();
  const Keeper::Part clock(&keeper, "monitor", [&](Archive& a) { monitor.archive(a); });

  const bool beyond = method.method == Method::vi_newton;  // else: the paper's setting
  const WeightedRows rows = beyond ? merged_rows(table, labels, weights, workers) : all_rows(table, weights);
  const Targets targets = make_targets(rows, labels);
  const auto shape = make_shape(options.kernel);
  const Layout layout{.noise = options.noise.value_or(!beyond),
                      .mean = options.mean.value_or(beyond),
                      .inputs = options.learn_inputs.value_or(beyond),
                      .spread = options.standardize ? 1 : spread_of(rows)};
  TrainingSetup setup{.shape = *shape,
                      .start = start_prior(static_cast<Index>(table.d), layout, options.ard.value_or(beyond),
                                           base_rate(targets), options.start),
                      .layout = layout,
                      .method = method,
                      .memory = options.memory ? options.memory : default_memory()};
  require_memory(memory_needed(method, size_of(rows, targets, setup, options, workers)), workers.size(),
                 memory_room());
  const std::vector<FeatureMap> maps = feature_maps(rows, options, beyond, workers);
  Outcome outcome;
  if (beyond) {
    outcome = train_newton({rows, targets, maps}, setup, {static_cast<Index>(options.inducing), options.seed},
                           workers, monitor, keeper);
  } else {
    const RowMatrix X = maps[0].apply(table, workers);
    const std::size_t m = options.inducing ? options.inducing : automatic_inducing(table.n);
    const std::size_t batch = options.batch ? options.batch : table.n < 5000 ? 50 : table.n / 100;
    setup.start.Z = kmeans(X, static_cast<Index>(m), {.seed = options.seed, .threads = workers.size()});
    if (keeper.resuming())
      monitor.resume_stage(maps[0]);
    else
      monitor.begin_stage(table.n, static_cast<std::size_t>(setup.start.Z.rows()), maps[0]);
    outcome = method.numeric & mu_Sigma
                  ? train_svi({X, targets}, setup, {options.step, static_cast<Index>(batch), options.seed},
                              workers, monitor, keeper)
                  : train_vi({X, targets}, setup, workers, monitor, keeper);
  }
  if (!outcome.fitted.frame.ok)
    throw data_error(monitor.interrupted() ? "the fit was stopped before it had a model"
                                           : "the fit could not begin: " + outcome.failure);
  const FeatureMap& map = maps[outcome.map];

  report.method = method.name;
  report.status = outcome.failure.empty() ? monitor.status(outcome.converged) : Status::failed;
  report.message = outcome.failure.empty() ? monitor.message(outcome.converged) : outcome.failure;
  if (outcome.rows && static_cast<Index>(outcome.rows) < rows.n())
    report.message +=
        "; " + std::to_string(outcome.rows) + " of " + std::to_string(rows.n()) + " different rows took part";
  report.n = table.n;
  report.d = table.d;
  report.rows = outcome.rows ? outcome.rows : static_cast<std::size_t>(rows.n());
  report.m = static_cast<std::size_t>(outcome.fitted.frame.m());
  report.seed = options.seed;
  report.threads = workers.size();
  report.seconds = monitor.seconds();
  report.iterations = monitor.iterations();
  report.passes = outcome.passes;
  report.kept_bytes = outcome.kept_bytes;
  report.bound = outcome.bound;
  report.elbo = outcome.elbo;
  report.sparsity_price = outcome.sparsity_price;
  report.warp = map.name();
  report.ladder = std::move(outcome.ladder);
  report.relevance = relevance_of(outcome.fitted.frame, map);
  report.leave_one_out = leave_one_out_metrics(outcome);
  report.theta = detail::theta_of(outcome.fitted.frame);
  report.history = monitor.history();
  if (report.m < options.inducing && report.status != Status::failed) {
    const bool cut = beyond && growth_was_cut(report.m, rows, options, layout.inputs, monitor);
    report.warnings.push_back(fewer_inducing(report.m, options, cut, monitor));
  }
  if (!checkpoints.failure().empty())
    report.warnings.push_back("the last checkpoint could not be written: " + checkpoints.failure());
  for (const Index f : map.standardizer.constant)
    report.warnings.push_back("feature " +
                              (names.features.empty() ? std::to_string(f + 1) : names.features[f]) +
                              " is constant and has no influence");
  return {make_model(outcome.fitted, map), std::move(report)};
}

}  // namespace induce
