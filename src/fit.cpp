// The pipeline: check, plan, train, explain, report.
#include <induce/fit.hpp>

#include "describe/option_check.hpp"
#include "explain/effects.hpp"
#include "fit/check_data.hpp"
#include "fit/checkpoints.hpp"
#include "fit/complete_report.hpp"
#include "fit/fit_identity.hpp"
#include "fit/plan_fit.hpp"
#include "linalg/blas.hpp"
#include "model/state.hpp"
#include "rows/sparse_rows.hpp"

namespace induce {

namespace {

// For predictions only the distances to the inducing inputs count: the first members of the pool.
Fitted without_other_members(const Fitted& fitted) {
  const Frame& frame = fitted.frame;
  Prior prior = frame.prior;
  prior.Z = frame.prior.Z.leftCols(frame.m());
  return {restore_frame(frame.kernel, prior, frame.L, frame.jitter), fitted.q};
}

TypicalValues typical_values(TableView table, std::span<const double> weights, Workers& workers) {
  return TypicalValues::find(table, weights, workers);
}
TypicalValues typical_values(const SparseView&, std::span<const double>, Workers&) { return {}; }

template <class Table>
Fit fit_table(const Table& table, std::span<const int> labels, const Options& options, const Names& names,
              std::span<const double> weights) {
  check_data(table, labels, names);
  check_weights(labels, weights, names);
  check_options(options, table.n);
  const MethodRow& method = row_of(options.method);
  const blas::SingleThreadedBlas single;  // results do not depend on the number of cores
  Workers workers(options.threads);
  const TypicalValues typical = typical_values(table, weights, workers);
  std::optional<Explanation> explanation;  // of the final model
  std::shared_ptr<const RowPool> pool;     // of a sparse table
  const auto make_model = [&](const Fitted& fitted, const FeatureMap& map) {
    const Index m = fitted.frame.m();
    auto state = detail::make_state(
        names, pool ? FeatureMap{{}, {}, {}, Standardizer::identity(m)} : map, typical,
        fitted.frame.kernel->name(), std::string(method.name),
        likelihood(options.likelihood, names.classes.size()), pool ? without_other_members(fitted) : fitted, explanation);
    if (pool) state->pool = std::make_shared<const RowPool>(pool->first(m));
    return Model(std::move(state));
  };
  Monitor monitor(options, options.max_iter ? options.max_iter : method.max_iter, make_model);
  const bool kept = !options.checkpoint.empty() || !options.resume.empty();
  Checkpoints checkpoints(kept ? describe_fit(table, labels, names, weights, options) : Checkpoint(), options,
                          monitor);
  const Keeper::Part clock(&checkpoints.keeper(), "monitor", [&](Archive& a) { monitor.archive(a); });

  const TrainingPlan plan = plan_fit(table, labels, names, weights, options, workers);
  if (plan.pooled) pool = plan.pooled->pool;
  Outcome outcome = method.train({plan, workers, monitor, checkpoints.keeper()});
  if (!outcome.fitted.frame.ok)
    throw data_error(monitor.interrupted() ? "the fit was stopped before it had a model"
                                           : "the fit could not start: " + outcome.failure);

  if (!pool && !monitor.interrupted() && quick_to_explain(outcome.fitted, plan.rows))
    monitor.stoppable(workers, [&] {
      explanation = explain_fitted(outcome.fitted, plan.maps[outcome.map], plan.rows, workers);
    });
  if (explanation) outcome.report.importance = explanation->importance;
  complete_report(plan, options, names, monitor, outcome);
  outcome.report.threads = workers.size();
  if (!checkpoints.failure().empty())
    outcome.report.warnings.push_back("the last checkpoint could not be written: " + checkpoints.failure());
  return {make_model(outcome.fitted, plan.maps[outcome.map]), std::move(outcome.report)};
}

}  // namespace

Fit fit(TableView table, std::span<const int> labels, const Options& options, const Names& names,
        std::span<const double> weights) {
  return fit_table(table, labels, options, names, weights);
}

Fit fit(SparseView table, std::span<const int> labels, const Options& options, const Names& names,
        std::span<const double> weights) {
  check_entries(table);
  if (stays_sparse(table.n, table.d, table.entries())) return fit_table(table, labels, options, names, weights);
  RowMatrix X(static_cast<Index>(table.n), static_cast<Index>(table.d));
  write_dense(table, 0, table.n, X.data());
  return fit_table(TableView{X.data(), table.n, table.d}, labels, options, names, weights);
}

}  // namespace induce
