#include "fit/complete_report.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "fit/group_columns.hpp"
#include "fit/label_columns.hpp"
#include "model/state.hpp"
#include "text/format.hpp"
#include "text/words.hpp"
#include "train/decide.hpp"
#include "train/row_splits.hpp"

namespace induce::detail {
namespace {

// Inverse length-scales. A shared length-scale is repeated for each feature, and a column with several groups of features
// has the largest of theirs.
std::vector<double> relevance_by_column(const FeatureMap& map, const Vector& lengthscales) {
  std::vector<double> relevance(static_cast<std::size_t>(map.columns()), 0);
  std::vector<bool> constant(static_cast<std::size_t>(map.features()), false);
  for (const Index f : map.standardizer.constant) constant[f] = true;
  for (Index f = 0; f < map.features(); ++f) {
    if (constant[f]) continue;
    double& own = relevance[map.column_of(f)];
    own = std::max(own, 1 / lengthscales[lengthscales.size() == 1 ? 0 : map.group_of(f)]);
  }
  return relevance;
}

std::vector<double> relevance_of(const Frame& frame, const FeatureMap& map) {
  std::vector<double> relevance;
  for_each_parameter(*frame.kernel, [&](Index at, const KernelParameter& parameter) {
    if (parameter.name == "lengthscales")
      relevance = relevance_by_column(map, frame.prior.theta.segment(at, parameter.count));
  });
  return relevance;
}

// `enough_rows`: there are more distinct rows than requested inputs.
std::string fewer_inducing(std::size_t m, const Options& options, bool exhausted, bool enough_rows,
                           const Monitor& monitor) {
  const std::string requested = std::to_string(options.inducing);
  if (exhausted)
    return "the rows support only " + std::to_string(m) + noun(m, " inducing input", " inducing inputs") +
           ", not the " + requested + " requested" +
           (enough_rows ? ": where more could go, each would gain less than 0.0001 nats" : "");
  const std::string why = monitor.must_stop()
                              ? monitor.message(false)
                              : "max_time of " + shortest(options.max_time) + " s leaves no time for more";
  return why + ": the fit has " + std::to_string(m) + " of the " + requested + " requested inducing inputs";
}

// Figures that cannot be trusted.
void warn_of_figures(const TrainingPlan& plan, const Names& names, Report& report) {
  constexpr Index fewest = 4;  // rows of a class: fewer cannot be in each of the usual folds
  const std::vector<Index> rows = plan.class_rows();
  const auto rarest = std::min_element(rows.begin(), rows.end());
  const auto few = std::count_if(rows.begin(), rows.end(), [&](Index count) { return count < fewest; });
  if (few > 0 && !plan.all)
    report.warnings.push_back(
        (few == 1 ? "class '" : std::to_string(few) + " classes have fewer than 4 rows; class '") +
        names.classes[static_cast<std::size_t>(rarest - rows.begin())] + "' has only " +
        std::to_string(*rarest) + noun(static_cast<std::size_t>(*rarest), " row") +
        ": nothing that is said about it can be trusted");
  if (report.leave_one_out && !report.cross_validation && report.d >= report.n)
    report.warnings.push_back("the table has " + std::to_string(report.d) + " columns and " +
                              std::to_string(report.n) +
                              " rows: leave-one-out figures, at parameters fitted to all rows, are too good");
}

// Classes that are in one fold of groups only: the fit that predicts their rows has none of them.
void warn_of_classes_in_one_fold(const TrainingPlan& plan, const Names& names, Report& report) {
  if (plan.groups.of.empty() || !(report.cross_validation || report.leave_one_out)) return;
  std::vector<Index> order(static_cast<std::size_t>(plan.rows.user_rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const Folds folds =
      arrange_folds(plan, order);  // groups are dealt in the order of the seed, whatever that of the rows
  const std::vector<Index> all = plan.class_rows();
  std::vector<std::string> alone;
  for (Index fold = 0; fold < folds.count(); ++fold) {
    std::vector<Index> rows(all.size(), 0);
    for (Index k = folds.first(fold); k < folds.first(fold + 1); ++k) {
      const double y = plan.targets.y[plan.rows.distinct_of(order[k])];
      ++rows[static_cast<std::size_t>(all.size() == 2 ? y > 0 : y)];
    }
    for (std::size_t c = 0; c < all.size(); ++c)
      if (all[c] > 0 && rows[c] == all[c]) alone.push_back(names.classes[c]);
  }
  if (alone.empty()) return;
  report.warnings.push_back(
      "all rows of class '" + alone[0] + "'" +
      (alone.size() > 1 ? " (and of " + counted(alone.size() - 1, "other class", "other classes") + ")"
                        : "") +
      " are held out together, so that they are predicted by a fit without this class: figures of quality "
      "are bad for this reason "
      "alone; are the " +
      (plan.groups.in_time ? "times" : "groups") + " the classes?");
}

}  // namespace

void complete_report(const TrainingPlan& plan, const FitRows& data, const Monitor& monitor, Workers& workers,
                     Outcome& outcome) {
  Report& report = outcome.report;
  const Options& options = plan.options;
  const Names& names = data.names();
  const Frame& frame = outcome.fitted.frame;
  const FeatureMap& map = plan.maps[outcome.map];
  const std::size_t rows = static_cast<std::size_t>(plan.n);
  if (report.rows == 0) report.rows = rows;

  report.method = plan.method.name;
  report.status = outcome.failure.empty() ? monitor.status(outcome.converged) : Status::failed;
  report.message = outcome.failure.empty() ? monitor.message(outcome.converged) : outcome.failure;
  if (report.rows < rows)
    report.message += "; used " + std::to_string(report.rows) + " of " + std::to_string(rows) + " rows";
  report.n = plan.table_rows;
  report.d = plan.rows.table().d;
  if (!plan.groups.of.empty()) {
    report.held_out_by = plan.groups.in_time ? "time" : "groups";
    if (plan.method.method != Method::vi_newton) report.leave_one_out.reset();  // of single rows
  }
  report.m = static_cast<std::size_t>(frame.m());
  report.seed = options.seed;
  report.seconds = monitor.seconds();
  report.iterations = monitor.iterations();
  report.warp = map.name();
  report.kernel = frame.kernel->name();
  note_missing_terms(report.choices, report.kernel);
  report.theta = theta_of(frame);
  report.relevance = relevance_of(frame, map);
  report.history = monitor.history();
  if (report.m < options.inducing && report.status != Status::failed)
    report.warnings.push_back(
        fewer_inducing(report.m, options, outcome.exhausted,
                       plan.method.defaults.merge_rows &&
                           static_cast<std::size_t>(plan.distinct(plan.n)) >= options.inducing,
                       monitor));
  warn_of_figures(plan, names, report);
  warn_of_classes_in_one_fold(plan, names, report);
  for (const Index f : map.standardizer.constant)
    report.warnings.push_back(
        "feature " +
        (names.features.empty() ? std::to_string(map.column_of(f) + 1) : names.features[map.column_of(f)]) +
        " is constant and has no influence");
  report.threads = workers.size();
  if (const Shards* shards = data.shards()) {
    report.shards = shards->count();
    report.bytes_moved = shards->traffic().bytes();
    report.seconds_waiting = shards->traffic().seconds_waiting;
    report.shard_imbalance = shards->traffic().imbalance();
  }
  if (data.projection()) {
    report.d = data.projection()->width;
    report.relevance.clear();
    return;
  }
  const MemoryStore& own = data.rows();
  std::optional<MemoryStore> merged;
  if (!plan.method.defaults.merge_rows)
    merged.emplace(own.table(), own.labels(), own.weights(), data.column_order(), workers);
  if (std::string text = warning_of_label_columns(merged ? *merged : own, names, workers); !text.empty())
    report.warnings.push_back(std::move(text));
  if (plan.groups.of.empty())
    if (std::string text = warning_of_group_columns(merged ? *merged : own, names, workers); !text.empty())
      report.warnings.push_back(std::move(text));
}

}  // namespace induce::detail
