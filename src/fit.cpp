// The pipeline, top to bottom: check, standardise, place the inducing inputs, start theta, train, report.
#include <induce/fit.hpp>

#include <algorithm>
#include <cmath>

#include <unistd.h>

#include "data/kmeans.hpp"
#include "data/standardizer.hpp"
#include "model/state.hpp"
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
  require(options.max_iter >= 0, "max_iter = " + std::to_string(options.max_iter) + ": must be at least 1");
  require(options.max_time > 0, "max_time = " + std::to_string(options.max_time) + ": must be positive");
  require(options.threads >= 0, "threads = " + std::to_string(options.threads) + ": must be at least 1");
  require(options.step > 0 && std::isfinite(options.step),
          "step = " + std::to_string(options.step) + ": must be positive");
  require(options.batch <= X.n, "batch = " + std::to_string(options.batch) + ": must be from 1 to the " +
                                    std::to_string(X.n) + " rows of the data");
  for (const auto& start : {options.start.signal_std, options.start.lengthscale, options.start.noise_std})
    require(!start || (*start > 0 && std::isfinite(*start)),
            "start = " + std::to_string(start.value_or(0)) + ": every part must be positive");
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

// Enough for most tables of this size, few enough to be quick.
std::size_t automatic_inducing(std::size_t n) {
  return std::min<std::size_t>(n, std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(n)), 20, 200));
}

std::size_t default_memory() {
  constexpr std::size_t enough = std::size_t{512} << 20;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0 ? std::min(enough, static_cast<std::size_t>(pages) * page / 4) : enough;
}

// The root of the features' mean variance in the model's units.
double spread_of(const RowMatrix& X) {
  const double variance = (X.rowwise() - X.colwise().mean()).squaredNorm() / static_cast<double>(X.size());
  return variance > 0 ? std::sqrt(variance) : 1;
}

// sigma_f = 1 and a length-scale of sqrt(d), the typical distance between two standardised rows, leave the
// prior neither flat nor white; the noise is small beside sigma_f, the mean is that of the labels.
Prior start_prior(const Matrix& Z, const Layout& layout, bool ard, double base_rate, const Start& start) {
  const Index d = Z.cols();
  Prior prior;
  prior.hyper.signal_std = start.signal_std.value_or(1.0);
  prior.hyper.lengthscales = Vector::Constant(
      ard ? d : 1, start.lengthscale.value_or(layout.spread * std::sqrt(static_cast<double>(d))));
  prior.hyper.noise_std = layout.noise ? start.noise_std.value_or(0.1) : 0.0;
  if (layout.mean) prior.hyper.mean = std::log(base_rate / (1 - base_rate));
  prior.Z = Z;
  return prior;
}

}  // namespace

Fit fit(TableView table, std::span<const int> labels, const Options& options, const Names& names) {
  check_data(table, labels, names);
  check_options(table, options);
  const MethodRow& method = row_of(options.method);
  Workers workers(options.threads);
  Report report;

  Standardizer standardizer = Standardizer::fit(table);
  if (!options.standardize)
    standardizer.scale.setOnes();  // centred all the same: a far origin would cost digits
  const RowMatrix X = standardizer.apply(table);
  Vector y(X.rows());
  for (Index i = 0; i < y.size(); ++i) y[i] = labels[i] == 1 ? 1.0 : -1.0;

  const Index wanted = static_cast<Index>(options.inducing ? options.inducing : automatic_inducing(table.n));
  const auto make_model = [&](const Fitted& fitted) {
    return Model(detail::make_state(names, standardizer, options.kernel, std::string(method.name), fitted));
  };
  Monitor monitor(options, options.max_iter ? options.max_iter : method.max_iter, make_model);
  const Matrix Z = kmeans(X, wanted, {.seed = options.seed, .threads = workers.size()});

  const auto shape = make_shape(options.kernel);
  const bool beyond = method.method == Method::vi_newton;  // else: the paper's setting
  const Layout layout{.noise = options.noise.value_or(!beyond),
                      .mean = options.mean.value_or(beyond),
                      .inputs = options.learn_inputs.value_or(beyond),
                      .spread = spread_of(X)};
  const TrainingSetup setup{
      .shape = *shape,
      .start = start_prior(Z, layout, options.ard.value_or(beyond), (y.mean() + 1) / 2, options.start),
      .layout = layout,
      .method = method,
      .memory = options.memory ? options.memory : default_memory()};
  const TrainingData data{X, y};
  const Index batch = static_cast<Index>(options.batch ? options.batch : table.n < 5000 ? 50 : table.n / 100);
  const Outcome outcome = method.numeric & mu_Sigma
                              ? train_svi(data, setup, {options.step, batch, options.seed}, workers, monitor)
                          : beyond ? train_newton(data, setup, options.seed, workers, monitor)
                                   : train_vi(data, setup, workers, monitor);

  report.method = method.name;
  report.status = outcome.failure.empty() ? monitor.status(outcome.converged) : Status::failed;
  report.message = outcome.failure.empty() ? monitor.message(outcome.converged) : outcome.failure;
  report.n = table.n;
  report.d = table.d;
  report.m = static_cast<std::size_t>(Z.rows());
  report.seed = options.seed;
  report.threads = workers.size();
  report.seconds = monitor.seconds();
  report.iterations = monitor.iterations();
  report.passes = outcome.passes;
  report.kept_bytes = outcome.kept_bytes;
  report.bound = outcome.bound;
  report.elbo = outcome.elbo;
  report.theta = detail::theta_of(outcome.fitted.frame);
  report.history = monitor.history();
  if (Z.rows() < wanted)
    report.warnings.push_back("only " + std::to_string(Z.rows()) +
                              " distinct rows: as many inducing inputs, not " + std::to_string(wanted));
  for (const Index f : standardizer.constant)
    report.warnings.push_back("feature " +
                              (names.features.empty() ? std::to_string(f + 1) : names.features[f]) +
                              " is constant and has no influence");
  return {make_model(outcome.fitted), std::move(report)};
}

}  // namespace induce
