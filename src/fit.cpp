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
#include "fit/trials.hpp"
#include "linalg/blas.hpp"
#include "model/class_weights.hpp"
#include "model/state.hpp"
#include "rows/sparse_rows.hpp"

namespace induce::detail {
namespace {

constexpr const char* stopped_early = "the fit was stopped before it had a model";

// The sum of the weights of all rows; of a sample, what it would be if they were like it.
double weight_of_rows(const FitRows& data) {
  const double sum = data.rows().weight().sum();
  if (!data.all()) return sum;
  return sum / static_cast<double>(data.rows().user_rows()) * static_cast<double>(data.facts().with_weight());
}

// Which columns have a feature for gaps: those of the model that the fit starts from.
std::vector<bool> gaps_of(const FeatureMap& map) {
  std::vector<bool> gaps(static_cast<std::size_t>(map.columns()), false);
  for (std::size_t c = 0; c < map.encoding.codes().size(); ++c) gaps[c] = map.encoding.codes()[c].gaps;
  return gaps;
}

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
      if (!rows_.projection()) moments_ = ColumnMoments::find(rows_.rows(), names_);
      plan.emplace(plan_fit(rows_, options_, workers_));
      if (plan->start) typical_.gaps = gaps_of(plan->maps[0]);
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
    state->learned = {
        .rows = weight_of_rows(rows_), .class_weights = options_.class_weights, .moments = moments_};
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
  ColumnMoments moments_;
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

// `table` has the split rows.
template <class Table>
Fit fit_split(const Table& table, const SplitRows& split, const Options& options, const Names& names,
              bool in_time) {
  const Names known = with_classes(names, std::size_t{2});
  if (known.classes.size() > 2)
    throw data_error("there are " + std::to_string(known.classes.size()) +
                     " classes: trials have two, failure and success");
  Fit fit = Pipeline(options, known).run([&](FitRows& rows) {
    rows.take(table, split.label, split.weight, Groups{split.group, in_time});
    rows.have_trials();
  });
  if (const std::string warning = warning_of_rows_without_trials(split.without_trials); !warning.empty())
    fit.report.warnings.push_back(warning);
  return fit;
}

void check_rows_of_trials(const Trials& trials, std::size_t rows) {
  if (trials.successes.size() != rows)
    throw data_error("there are " + std::to_string(rows) + " rows but " +
                     std::to_string(trials.successes.size()) + " labels");
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

Fit fit(TableView table, const Trials& trials, const Options& options, std::span<const double> weights,
        const Names& names, const Groups& groups) {
  detail::check_rows_of_trials(trials, table.n);
  const detail::SplitRows split = detail::split_trials(trials, weights, groups.of);
  detail::RowMatrix X(static_cast<detail::Index>(split.row.size()), static_cast<detail::Index>(table.d));
  for (std::size_t k = 0; k < split.row.size(); ++k)
    std::copy_n(table.row(split.row[k]), table.d, X.row(static_cast<detail::Index>(k)).data());
  return detail::fit_split(TableView{X.data(), split.row.size(), table.d}, split, options, names,
                           groups.in_time);
}

Fit fit(SparseView table, const Trials& trials, const Options& options, std::span<const double> weights,
        const Names& names, const Groups& groups) {
  detail::check_rows_of_trials(trials, table.n);
  detail::check_entries(table);
  const detail::SplitRows split = detail::split_trials(trials, weights, groups.of);
  return detail::fit_split(detail::take_rows(table, split.row).view(), split, options, names, groups.in_time);
}

}  // namespace induce
