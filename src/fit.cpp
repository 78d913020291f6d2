// The pipeline: read, store, plan, train, explain, report.
#include <induce/fit.hpp>

#include "explain/effects.hpp"
#include "fit/check_data.hpp"
#include "fit/checkpoints.hpp"
#include "fit/complete_report.hpp"
#include "fit/fit_rows.hpp"
#include "fit/fit_shards.hpp"
#include "fit/fit_store.hpp"
#include "fit/plan_fit.hpp"
#include "linalg/blas.hpp"
#include "model/class_weights.hpp"
#include "model/state.hpp"

namespace induce::detail {
namespace {

constexpr const char* stopped_early = "the fit was stopped before it had a model";

class Pipeline {
 public:
  // `carrier`: to the shards that have or get the rows, if any.
  Pipeline(const Options& options, Names names, Carrier* carrier = nullptr)
      : options_(options),
        names_(std::move(names)),
        method_(traits_of(options.method)),
        workers_(options.threads),
        monitor_(options, options.max_iter ? options.max_iter : method_.max_iter,
                 [this](const Fitted& fitted, const FeatureMap& map) {
                   return make_model(with_class_weights(fitted, options_.class_weights), map);
                 }),
        rows_(options, names_, carrier, workers_, monitor_) {}

  // `take` gives the rows to FitRows.
  Fit run(const std::function<void(FitRows&)>& take) {
    check_class_weights(options_.class_weights, names_.classes,
                        likelihood(options_.likelihood, names_.classes.size()));
    before_training([&] { take(rows_); });
    Checkpoints checkpoints(rows_, options_, monitor_);
    StateSaver& saver = checkpoints.saver();
    const StateSaver::Section clock(&saver, "monitor", [&](Archive& a) { monitor_.archive(a); });
    std::optional<TrainingPlan> plan;
    before_training([&] {
      typical_ = TypicalValues::find(rows_.rows(), rows_.facts(), rows_.column_order(), workers_);
      plan.emplace(plan_fit(rows_, options_, workers_));
    });
    if (options_.resume.empty()) monitor_.end_of_stage(saver);  // a fit can be stopped in its first stage

    Outcome outcome = method_.train({*plan, workers_, rows_.owner(), monitor_, saver});
    if (!outcome.fitted.frame.ok)
      throw data_error(monitor_.interrupted() ? stopped_early
                                              : "the fit could not start: " + outcome.failure);
    const FeatureMap& map = plan->maps[outcome.map];
    outcome.fitted = with_class_weights(std::move(outcome.fitted), options_.class_weights);
    outcome.report.class_weights = options_.class_weights;
    if (!rows_.projection() && !monitor_.interrupted() && quick_to_explain(outcome.fitted, rows_.rows()))
      monitor_.stoppable(workers_,
                         [&] { explanation_ = explain_fitted(outcome.fitted, map, rows_.rows(), workers_); });
    if (explanation_) outcome.report.importance = explanation_->importance;
    complete_report(*plan, rows_, monitor_, workers_, outcome);
    if (!checkpoints.failure().empty())
      outcome.report.warnings.push_back("the last checkpoint could not be written: " + checkpoints.failure());
    return {make_model(outcome.fitted, map), std::move(outcome.report)};
  }

 private:
  void before_training(const std::function<void()>& work) {
    if (!monitor_.stoppable(workers_, work) || monitor_.interrupted()) throw data_error(stopped_early);
  }

  Model make_model(const Fitted& fitted, const FeatureMap& map) const {
    auto state = make_state(names_, map, typical_, fitted.frame.kernel->name(), std::string(method_.name),
                            likelihood(options_.likelihood, names_.classes.size()), fitted, explanation_);
    state->projection = rows_.projection();
    if (!state->projection) state->ranges = rows_.facts().ranges;
    return model_with(std::move(state));
  }

  const Options& options_;
  const Names names_;
  const MethodTraits& method_;
  const blas::SingleThreadedBlas single_{};  // results do not depend on the number of cores
  Workers workers_;
  Monitor monitor_;
  FitRows rows_;
  TypicalValues typical_;
  std::optional<Explanation> explanation_;  // of the final model
};

template <class Table>
Fit fit_table(const Table& table, std::span<const int> labels, const Options& options,
              std::span<const double> weights, const Names& names, const Groups& groups = {},
              Carrier* carrier = nullptr) {
  return Pipeline(options, with_classes(names, labels), carrier).run([&](FitRows& rows) {
    rows.take(table, labels, weights, groups);
  });
}

}  // namespace

Fit fit_store(const RowStore& all, const Options& options, const Names& names) {
  return Pipeline(options, with_classes(names, all.facts().class_rows.size())).run([&](FitRows& rows) {
    rows.take(all);
  });
}

Fit fit_shards(Carrier& carrier, TableView table, std::span<const int> labels, const Options& options,
               std::span<const double> weights, const Names& names) {
  return fit_table(table, labels, options, weights, names, {}, &carrier);
}

Fit fit_shards(Carrier& carrier, SparseView table, std::span<const int> labels, const Options& options,
               std::span<const double> weights, const Names& names) {
  return fit_table(table, labels, options, weights, names, {}, &carrier);
}

Fit fit_shards(Carrier& carrier, const Options& options, const Names& names) {
  return Pipeline(options, with_classes(names, std::size_t{0}), &carrier).run([](FitRows& rows) {
    rows.take_from_shards();
  });
}

}  // namespace induce::detail

namespace induce {

Fit fit(TableView table, std::span<const int> labels, const Options& options, std::span<const double> weights,
        const Names& names, const Groups& groups) {
  return detail::fit_table(table, labels, options, weights, names, groups);
}

Fit fit(SparseView table, std::span<const int> labels, const Options& options,
        std::span<const double> weights, const Names& names, const Groups& groups) {
  return detail::fit_table(table, labels, options, weights, names, groups);
}

}  // namespace induce
