// The pipeline: check, store, plan, train, explain, report.
#include <induce/fit.hpp>

#include "describe/option_check.hpp"
#include "explain/effects.hpp"
#include "fit/check_data.hpp"
#include "fit/checkpoints.hpp"
#include "fit/complete_report.hpp"
#include "fit/fit_identity.hpp"
#include "fit/fit_rows.hpp"
#include "fit/fit_shards.hpp"
#include "fit/fit_store.hpp"
#include "fit/label_columns.hpp"
#include "fit/plan_fit.hpp"
#include "linalg/blas.hpp"
#include "model/state.hpp"
#include "rows/sparse_rows.hpp"

namespace induce::detail {
namespace {

class Pipeline {
 public:
  // `carrier`: to the shards that have or get the rows, if any.
  Pipeline(const Options& options, Names names, Carrier* carrier = nullptr)
      : options_(options),
        names_(std::move(names)),
        method_(row_of(options.method)),
        workers_(options.threads),
        monitor_(options, options.max_iter ? options.max_iter : method_.max_iter,
                 [this](const Fitted& fitted, const FeatureMap& map) { return make_model(fitted, map); }),
        data_(options, names_, carrier, workers_, monitor_) {}

  // `store(rows, names)` takes the rows.
  template <class Store>
  Fit run(const Store& store) {
    before_training([&] { store(data_, names_); });
    const bool kept = !options_.checkpoint.empty() || !options_.resume.empty();
    Checkpoints checkpoints(kept ? describe_fit(data_, options_) : Checkpoint(), options_, monitor_);
    const Keeper::Part clock(&checkpoints.keeper(), "monitor", [&](Archive& a) { monitor_.archive(a); });
    // A fit can be stopped in its first stage.
    if (options_.resume.empty()) monitor_.end_of_stage(checkpoints.keeper());
    std::optional<TrainingPlan> plan;
    before_training([&] {
      typical_ =
          TypicalValues::find(data_.rows().table(), data_.rows().weights(), data_.column_order(), workers_);
      typical_.gaps.assign(data_.facts().has_gaps.begin(), data_.facts().has_gaps.end());
      typical_.most_gaps = static_cast<std::size_t>(data_.facts().most_gaps);
      plan.emplace(plan_fit(data_, options_, workers_));
    });

    Outcome outcome = method_.train({*plan, workers_, data_.owner(), monitor_, checkpoints.keeper()});
    if (!outcome.fitted.frame.ok)
      throw data_error(monitor_.interrupted() ? stopped_early
                                              : "the fit could not start: " + outcome.failure);
    const FeatureMap& map = plan->maps[outcome.map];
    if (!data_.projection() && !monitor_.interrupted() && quick_to_explain(outcome.fitted, data_.rows()))
      monitor_.stoppable(workers_,
                         [&] { explanation_ = explain_fitted(outcome.fitted, map, data_.rows(), workers_); });
    report(*plan, outcome);
    if (!checkpoints.failure().empty())
      outcome.report.warnings.push_back("the last checkpoint could not be written: " + checkpoints.failure());
    return {make_model(outcome.fitted, map), std::move(outcome.report)};
  }

 private:
  inline static const std::string stopped_early = "the fit was stopped before it had a model";

  template <class Work>
  void before_training(const Work& work) {
    if (!monitor_.stoppable(workers_, work) || monitor_.interrupted()) throw data_error(stopped_early);
  }

  Model make_model(const Fitted& fitted, const FeatureMap& map) const {
    auto state = make_state(names_, map, typical_, fitted.frame.kernel->name(), std::string(method_.name),
                            likelihood(options_.likelihood, names_.classes.size()), fitted, explanation_);
    state->projection = data_.projection();
    if (!state->projection) state->ranges = data_.facts().ranges;
    return model_with(std::move(state));
  }

  void report(const TrainingPlan& plan, Outcome& outcome) {
    Report& report = outcome.report;
    if (explanation_) report.importance = explanation_->importance;
    complete_report(plan, options_, data_.names(), monitor_, outcome);
    report.threads = workers_.size();
    if (const Shards* shards = data_.shards()) {
      report.shards = shards->count();
      report.bytes_moved = shards->traffic().bytes();
      report.seconds_waiting = shards->traffic().seconds_waiting;
      report.shard_imbalance = shards->traffic().imbalance();
    }
    if (data_.projection()) {
      report.d = data_.projection()->width;
      report.relevance.clear();
      return;
    }
    const MemoryStore& rows = data_.rows();
    std::optional<MemoryStore> merged;
    if (!method_.defaults.merge_rows)
      merged.emplace(rows.table(), rows.labels(), rows.weights(), data_.column_order(), workers_);
    if (std::string text = warning_of_label_columns(merged ? *merged : rows, names_, workers_); !text.empty())
      report.warnings.push_back(std::move(text));
  }

  const Options& options_;
  const Names names_;
  const MethodRow& method_;
  const blas::SingleThreadedBlas single_{};  // results do not depend on the number of cores
  Workers workers_;
  Monitor monitor_;
  FitRows data_;
  TypicalValues typical_;
  std::optional<Explanation> explanation_;  // of the final model
};

Fit fit_table(TableView table, std::span<const int> labels, const Options& options,
              std::span<const double> weights, const Names& given, Carrier* carrier) {
  Pipeline pipeline(options, with_classes(given, labels), carrier);
  return pipeline.run([&](FitRows& rows, const Names& names) {
    check_data(table, labels, names);
    check_weights(labels, weights, names);
    check_options(options, table.n);
    rows.take(table, labels, weights);
  });
}

Fit fit_table(SparseView table, std::span<const int> labels, const Options& options,
              std::span<const double> weights, const Names& given, Carrier* carrier) {
  check_entries(table);
  if (!stays_sparse(table.n, table.d, table.entries())) {
    RowMatrix X(static_cast<Index>(table.n), static_cast<Index>(table.d));
    write_dense(table, 0, table.n, X.data());
    return fit_table(TableView{X.data(), table.n, table.d}, labels, options, weights, given, carrier);
  }
  Pipeline pipeline(options, with_classes(given, labels), carrier);
  return pipeline.run([&](FitRows& rows, const Names& names) {
    check_data(table, labels, names);
    check_weights(labels, weights, names);
    check_options(options, table.n);
    check_sparse_fit(names, options);
    rows.take(table, labels, weights);
  });
}

}  // namespace

Fit fit_store(const RowStore& all, const Options& options, const Names& given) {
  Pipeline pipeline(options, with_classes(given, all.facts().of_class.size()));
  return pipeline.run([&](FitRows& rows, const Names& names) {
    check_options(options, static_cast<std::size_t>(all.facts().rows));
    check_facts(all.facts(), static_cast<std::size_t>(all.columns()), names);
    rows.take(all);
  });
}

Fit fit_shards(Carrier& carrier, TableView table, std::span<const int> labels, const Options& options,
               std::span<const double> weights, const Names& names) {
  return fit_table(table, labels, options, weights, names, &carrier);
}

Fit fit_shards(Carrier& carrier, SparseView table, std::span<const int> labels, const Options& options,
               std::span<const double> weights, const Names& names) {
  return fit_table(table, labels, options, weights, names, &carrier);
}

Fit fit_shards(Carrier& carrier, const Options& options, const Names& names) {
  Pipeline pipeline(options, with_classes(names, std::size_t{0}), &carrier);
  return pipeline.run([](FitRows& rows, const Names&) { rows.take_from_shards(); });
}

}  // namespace induce::detail

namespace induce {

Fit fit(TableView table, std::span<const int> labels, const Options& options, std::span<const double> weights,
        const Names& names) {
  return detail::fit_table(table, labels, options, weights, names, nullptr);
}

Fit fit(SparseView table, std::span<const int> labels, const Options& options,
        std::span<const double> weights, const Names& names) {
  return detail::fit_table(table, labels, options, weights, names, nullptr);
}

}  // namespace induce
