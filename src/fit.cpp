// The pipeline: check, plan, train, explain, report.
#include <induce/fit.hpp>

#include <chrono>
#include <functional>

#include "describe/option_check.hpp"
#include "explain/effects.hpp"
#include "fit/check_data.hpp"
#include "fit/checkpoints.hpp"
#include "fit/complete_report.hpp"
#include "fit/fit_identity.hpp"
#include "fit/fit_ordered.hpp"
#include "fit/label_columns.hpp"
#include "fit/plan_fit.hpp"
#include "fit/project_rows.hpp"
#include "linalg/blas.hpp"
#include "model/state.hpp"
#include "rows/sparse_rows.hpp"
#include "shard/all_rows_here.hpp"
#include "shard/remote_all_rows.hpp"
#include "store/ordered_table.hpp"
#include "store/sample.hpp"
#include "table/row_order.hpp"

namespace induce {

namespace {

void report_traffic(const Shards& shards, Report& report) {
  const Traffic& traffic = shards.traffic();
  report.shards = shards.count();
  report.bytes_moved = traffic.bytes();
  report.seconds_waiting = traffic.seconds_waiting;
  report.shard_imbalance = traffic.imbalance();
}

// `projection`: the table has its features, and `names_of_model` are those of the sparse table.
struct SparseOrigin {
  std::shared_ptr<const Projection> projection{};
  Names names_of_model{};
  std::function<RowMatrix(const std::vector<char>&)> table_without{};  // see TrainingPlan
};

// Missing values of all rows, not of a sample only.
void take_gaps(const FactsOfRows& facts, TypicalValues& typical) {
  typical.gaps.assign(facts.has_gaps.begin(), facts.has_gaps.end());
  typical.most_gaps = static_cast<std::size_t>(facts.most_gaps);
}

// Where a fit runs.
struct Team {
  explicit Team(const Options& options) : workers(options.threads), here(workers) {
    if (options.carrier) shards.emplace(*options.carrier, workers);
  }
  RowPlaces& places() { return shards ? static_cast<RowPlaces&>(*shards) : here; }

  const blas::SingleThreadedBlas single{};  // results do not depend on the number of cores
  Workers workers;
  PlacesHere here;
  std::optional<Shards> shards;
};

Fit fit_rows(const FitData& data, const Options& options, const Names& names, const SparseOrigin& sparse,
             Team& team) {
  Workers& workers = team.workers;
  const MethodRow& method = row_of(options.method);
  const std::shared_ptr<const Projection>& projection = sparse.projection;
  TypicalValues typical =
      TypicalValues::find(data.table, data.weights, columns_by_name(data.table.d, names.features), workers);
  if (data.facts) take_gaps(*data.facts, typical);
  const ColumnRanges ranges = data.facts ? data.facts->ranges : ColumnRanges::find(data.table, data.weights);
  std::optional<Explanation> explanation;  // of the final model
  const auto make_model = [&](const Fitted& fitted, const FeatureMap& map) {
    auto state = detail::make_state(
        projection ? sparse.names_of_model : names, map, typical, fitted.frame.kernel->name(),
        std::string(method.name), likelihood(options.likelihood, names.classes.size()), fitted, explanation);
    state->projection = projection;
    if (!projection) state->ranges = ranges;
    return Model(std::move(state));
  };
  Monitor monitor(options, options.max_iter ? options.max_iter : method.max_iter, make_model);
  if (team.shards)
    monitor.watch_shards(team.shards->count(), [&] { return team.shards->traffic().imbalance(); });
  const bool kept = !options.checkpoint.empty() || !options.resume.empty();
  Checkpoints checkpoints(kept ? describe_fit(data, names, options) : Checkpoint(), options, monitor);
  const Keeper::Part clock(&checkpoints.keeper(), "monitor", [&](Archive& a) { monitor.archive(a); });
  if (options.resume.empty())
    monitor.end_of_stage(checkpoints.keeper());  // a fit can be stopped in its first stage

  const TrainingPlan plan = plan_fit(data, names, options, workers);
  Outcome outcome = method.train({plan, workers, team.places(), monitor, checkpoints.keeper()});
  if (!outcome.fitted.frame.ok)
    throw data_error(monitor.interrupted() ? "the fit was stopped before it had a model"
                                           : "the fit could not start: " + outcome.failure);

  if (!projection && !monitor.interrupted() && quick_to_explain(outcome.fitted, plan.rows))
    monitor.stoppable(workers, [&] {
      explanation = explain_fitted(outcome.fitted, plan.maps[outcome.map], plan.rows, workers);
    });
  if (explanation) outcome.report.importance = explanation->importance;
  complete_report(plan, options, names, monitor, outcome);
  outcome.report.threads = workers.size();
  if (team.shards) report_traffic(*team.shards, outcome.report);
  if (projection) {
    outcome.report.d = projection->width;
    outcome.report.relevance.clear();
  }
  if (!projection)
    if (std::string text = warning_of_label_columns(data.table, data.labels, data.weights, names, workers);
        !text.empty())
      outcome.report.warnings.push_back(std::move(text));
  if (!checkpoints.failure().empty())
    outcome.report.warnings.push_back("the last checkpoint could not be written: " + checkpoints.failure());
  return {make_model(outcome.fitted, plan.maps[outcome.map]), std::move(outcome.report)};
}

// Of the user's rows, those that a large table is planned with.
double share_of_sample(const FactsOfRows& facts, Index columns, const Options& options) {
  const std::size_t size = sample_size(static_cast<std::size_t>(columns), options);
  return std::min(1.0, static_cast<double>(size) / static_cast<double>(facts.with_weight()));
}

Fit fit_large(const OrderedRows& rows, const FactsOfRows& facts, const Options& options, const Names& names,
              const SparseOrigin& sparse, Team& team) {
  const OwnedRows sample = draw_sample(rows, share_of_sample(facts, rows.columns(), options));
  AllRowsHere all(rows, team.workers);
  return fit_rows({sample.view(), sample.labels, sample.weights, &facts, &all}, options, names, sparse, team);
}

bool rows_may_be_elsewhere(const Options& options) { return rows_may_be_elsewhere(row_of(options.method)); }

void require_rows_elsewhere(const Options& options) {
  if (rows_may_be_elsewhere(options)) return;
  std::string able;
  for (const MethodRow& row : methods)
    if (rows_may_be_elsewhere(row)) able += (able.empty() ? "" : ", ") + std::string(row.name);
  throw usage_error("method = " + std::string(row_of(options.method).name) +
                    ": its rows must be in one process; methods for several processes: " + able);
}

// The rows are in shards.
Fit fit_large(RemoteAllRows& all, const Options& options, const Names& names, const SparseOrigin& sparse,
              Team& team) {
  all.order();
  const OwnedRows sample = draw_sample(*team.shards, share_of_sample(all.facts(), all.columns(), options));
  return fit_rows({sample.view(), sample.labels, sample.weights, &all.facts(), &all}, options, names, sparse,
                  team);
}

// `facts`: identify the table whatever the order of its rows.
Fit fit_table(TableView table, std::span<const int> labels, const Options& options, const Names& names,
              std::span<const double> weights, const SparseOrigin& sparse, Team& team,
              const FactsOfRows* facts = nullptr) {
  check_data(table, labels, names);
  check_weights(labels, weights, names);
  check_options(options, table.n);
  if (options.carrier) require_rows_elsewhere(options);
  if (is_large(table.n, table.d, options) && rows_may_be_elsewhere(options)) {
    const std::vector<Index> order = columns_by_name(table.d, names.features);
    if (team.shards) {
      hand_out(*team.shards, table, labels, weights);
      RemoteAllRows all(*team.shards, order);
      return fit_large(all, options, names, sparse, team);
    }
    const OrderedTable rows(table, labels, weights, order, team.workers);
    return fit_large(rows, rows.facts(), options, names, sparse, team);
  }
  return fit_rows({table, labels, weights, facts, nullptr, sparse.table_without}, options, names, sparse,
                  team);
}

// What check_data looks at in all rows, as far as it is known of them.
void check_facts(const FactsOfRows& facts, const Names& names) {
  const std::size_t classes = names.classes.size();
  if (facts.of_class.size() > classes)
    throw data_error("label " + std::to_string(facts.of_class.size() - 1) + ": must be from 0 to " +
                     std::to_string(classes - 1) + ", the index of a class");
  for (std::size_t k = 0; k < classes; ++k)
    if (k >= facts.of_class.size() || facts.of_class[k] == 0)
      throw data_error("class '" + names.classes[k] + "' has no rows");
}

// A table that stays sparse becomes a few linear features, which are fitted like any other table.
Fit fit_sparse(const SparseView& table, std::span<const int> labels, const Options& options,
               const Names& names, std::span<const double> weights) {
  check_data(table, labels, names);
  check_weights(labels, weights, names);
  check_options(options, table.n);
  if (options.kernel.find("additive:") != std::string::npos)
    throw usage_error("kernel '" + options.kernel +
                      "': the table is sparse, and its kernel has no columns to choose; use additive");
  for (const Column& column : names.columns)
    if (column.kind != ColumnKind::number)
      throw data_error("a column of a sparse table is a " + std::string(name_of(column.kind)) +
                       ": all must be numbers");
  const auto began = std::chrono::steady_clock::now();
  Team team(options);
  const auto project = [&](std::span<const double> of_rows) {
    return project_rows(table, labels, names.classes.size(), of_rows, options.standardize, options.seed,
                        team.workers);
  };
  const ProjectedRows rows = project(weights);
  const auto without = [&](const std::vector<char>& left_out) {
    std::vector<double> known(weights.begin(), weights.end());
    known.resize(table.n, 1);
    for (std::size_t i = 0; i < table.n; ++i) known[i] = left_out[i] ? 0 : known[i];
    return project(known).Z;
  };
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  Names of_features = names;
  of_features.features.clear();
  of_features.columns.clear();
  const TableView Z{rows.Z.data(), table.n, static_cast<std::size_t>(rows.Z.cols())};
  if (Z.d == 0) throw data_error("all entries of the sparse table are zero");
  Fit done = fit_table(Z, labels, options, of_features, weights, {rows.projection, names, without}, team);
  done.report.seconds += seconds.count();
  return done;
}

}  // namespace

Fit fit(TableView table, std::span<const int> labels, const Options& options, const Names& names,
        std::span<const double> weights) {
  Team team(options);
  return fit_table(table, labels, options, names, weights, {}, team);
}

Fit fit_ordered(const OrderedRows& rows, const FactsOfRows& facts, const Options& options,
                const Names& names) {
  Team team(options);
  check_options(options, static_cast<std::size_t>(facts.rows));
  check_facts(facts, names);
  return fit_large(rows, facts, options, names, {}, team);
}

Fit fit_shards(const Options& options, const Names& names) {
  if (!options.carrier) throw usage_error("carrier: a fit of rows in shards needs one");
  require_rows_elsewhere(options);
  Team team(options);
  RemoteAllRows all(*team.shards, columns_by_name(names.features.size(), names.features));
  const FactsOfRows& facts = all.facts();
  const auto columns = static_cast<std::size_t>(all.columns());
  if (facts.rows == 0) throw data_error("the data has no rows or no features");
  if (!is_large(static_cast<std::size_t>(facts.rows), columns, options)) {
    const OwnedRows rows = all.gather();
    return fit_table(rows.view(), rows.labels, options, names, rows.weights, {}, team, &facts);
  }
  check_options(options, static_cast<std::size_t>(facts.rows));
  check_facts(facts, names);
  return fit_large(all, options, names, {}, team);
}

Fit fit(SparseView table, std::span<const int> labels, const Options& options, const Names& names,
        std::span<const double> weights) {
  check_entries(table);
  if (stays_sparse(table.n, table.d, table.entries()))
    return fit_sparse(table, labels, options, names, weights);
  RowMatrix X(static_cast<Index>(table.n), static_cast<Index>(table.d));
  write_dense(table, 0, table.n, X.data());
  Team team(options);
  return fit_table({X.data(), table.n, table.d}, labels, options, names, weights, {}, team);
}

}  // namespace induce
