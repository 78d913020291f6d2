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

namespace induce {

Fit fit(TableView table, std::span<const int> labels, const Options& options, const Names& names,
        std::span<const double> weights) {
  check_data(table, labels, names);
  check_weights(labels, weights, names);
  check_options(options, table.n);
  const MethodRow& method = row_of(options.method);
  const blas::SingleThreadedBlas single;  // results do not depend on the number of cores
  Workers workers(options.threads);
  const TypicalValues typical = TypicalValues::find(table, weights, workers);
  std::optional<Explanation> explanation;  // of the final model
  const auto make_model = [&](const Fitted& fitted, const FeatureMap& map) {
    return Model(
        detail::make_state(names, map, typical, fitted.frame.kernel->name(), std::string(method.name),
                           likelihood(options.likelihood, names.classes.size()), fitted, explanation));
  };
  Monitor monitor(options, options.max_iter ? options.max_iter : method.max_iter, make_model);
  const bool kept = !options.checkpoint.empty() || !options.resume.empty();
  Checkpoints checkpoints(kept ? describe_fit(table, labels, names, weights, options) : Checkpoint(), options,
                          monitor);
  const Keeper::Part clock(&checkpoints.keeper(), "monitor", [&](Archive& a) { monitor.archive(a); });

  const TrainingPlan plan = plan_fit(table, labels, names, weights, options, workers);
  Outcome outcome = method.train({plan, workers, monitor, checkpoints.keeper()});
  if (!outcome.fitted.frame.ok)
    throw data_error(monitor.interrupted() ? "the fit was stopped before it had a model"
                                           : "the fit could not start: " + outcome.failure);

  if (!monitor.interrupted() && quick_to_explain(outcome.fitted, plan.rows))
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

}  // namespace induce
