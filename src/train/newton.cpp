// vi-newton: theta, mean and Z jointly by L-BFGS-B on the profiled true bound (profiled_bound.hpp), in stages
// with more and more rows and inducing inputs (stages.hpp).
//
// Feature maps compete: their bounds are for the same labels and therefore comparable. All run the first stage;
// the worse one is dropped once it is clearly worse, or when the next stage would have all rows.
#include <algorithm>
#include <numeric>

#include "state/random.hpp"
#include "text/words.hpp"
#include "train/candidate.hpp"

namespace induce {
namespace {

constexpr double clearly_worse = 2e-3;  // nats per row

bool decided(const std::vector<Candidate>& by_value) {
  const Candidate &best = by_value[0], &other = by_value[1];
  return best.point().value - other.point().value > clearly_worse * static_cast<double>(best.rows());
}

// The candidate with more rows is ahead: bounds are comparable only on the same rows.
bool is_ahead(const Candidate& a, const Candidate& b) {
  return a.rows() != b.rows() ? a.rows() > b.rows() : a.point().value > b.point().value;
}

// The state between two stages, and the current candidate within one.
struct Selection {
  GrowingFit& fit;
  std::vector<Candidate> candidates{};
  std::vector<Step> ladder{};
  Stage stage{};
  double fewer = -INFINITY;  // the bound over all rows with fewer inducing inputs
  std::size_t next = 0;      // current candidate of this stage
  int succeeded = 0;         // candidates that succeeded in this stage

  void archive(Archive& a);
};

void archive_ladder(Archive a, std::vector<Step>& ladder) {
  std::vector<Index> rows, m, warped;
  std::vector<double> bound, seconds;
  for (const Step& step : ladder) {
    rows.push_back(static_cast<Index>(step.rows));
    m.push_back(static_cast<Index>(step.m));
    warped.push_back(step.warp != name_of(Warp::none));
    bound.push_back(step.bound);
    seconds.push_back(step.seconds);
  }
  a("rows", rows);
  a("m", m);
  a("warped", warped);
  a("bound", bound);
  a("seconds", seconds);
  const std::size_t steps = rows.size();
  if (m.size() != steps || warped.size() != steps || bound.size() != steps || seconds.size() != steps)
    a.reject("rows", "differs in length from the other columns");
  ladder.clear();
  for (std::size_t k = 0; k < steps; ++k)
    ladder.push_back({.rows = static_cast<std::size_t>(rows[k]),
                      .m = static_cast<std::size_t>(m[k]),
                      .warp = std::string(name_of(warped[k] ? Warp::yeo_johnson : Warp::none)),
                      .bound = bound[k],
                      .seconds = seconds[k]});
}

void Selection::archive(Archive& a) {
  std::vector<Index> maps;
  for (const Candidate& candidate : candidates) maps.push_back(static_cast<Index>(candidate.map()));
  a("maps", maps);  // in rank order
  a.part("stage", stage);
  const TrainingPlan& plan = fit.plan();
  if (stage.rows < 1 || stage.rows > plan.targets.n() || stage.m < 1 || stage.m > plan.inducing)
    a.reject("stage", "does not match the data");
  if (maps.size() > plan.maps.size()) a.reject("maps", "has too many entries");
  if (a.loading()) {
    candidates.clear();
    for (const Index map : maps) {
      if (map < 0 || map >= static_cast<Index>(plan.maps.size())) a.reject("maps", "has an unknown map");
      candidates.emplace_back(fit, static_cast<std::size_t>(map));
    }
  }
  for (std::size_t k = 0; k < candidates.size(); ++k) a.part("candidate" + std::to_string(k), candidates[k]);
  archive_ladder(a.inside("ladder"), ladder);
  a("fewer", fewer);
  a("next", next);
  if (next >= candidates.size()) a.reject("next", "is not the number of a candidate");
  a("succeeded", succeeded);
  a("passes", fit.passes);
  a("work", fit.work);
  a("kept_bytes", fit.kept_bytes);
}

}  // namespace

Outcome train_newton(const FitContext& context) {
  const TrainingPlan& plan = context.plan;
  Monitor& monitor = context.monitor;
  const Index n = plan.targets.n(), positive = (plan.targets.y.array() > 0).count();
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  Random(plan.seed).shuffle(order);
  GrowingFit fit{context, order};
  Selection selection{.fit = fit};
  std::vector<Candidate>& candidates = selection.candidates;
  for (std::size_t map = 0; map < plan.maps.size(); ++map) candidates.emplace_back(fit, map);

  Outcome outcome;
  const Growth growth(n, plan.rows.d(), plan.inducing, plan.find_inducing, plan.layout.inputs,
                      std::min(positive, n - positive));
  selection.stage = growth.first();
  const Keeper::Part part(&context.keeper, "selection", [&](Archive& a) { selection.archive(a); });
  for (Stage& stage = selection.stage;; selection.next = 0, selection.succeeded = 0) {
    for (; selection.next < candidates.size(); ++selection.next) {
      Candidate& candidate = candidates[selection.next];
      if (candidate.run(stage)) {
        selection.ladder.push_back(candidate.step());
        ++selection.succeeded;
      }
      if (monitor.must_stop()) break;
    }
    if (selection.succeeded == 0 && !monitor.interrupted())
      outcome.failure = "the bound is not finite at the start of a stage of " + std::to_string(stage.rows) +
                        " rows and " + std::to_string(stage.m) + " inducing " +
                        noun(static_cast<std::size_t>(stage.m), "input");
    std::stable_sort(candidates.begin(), candidates.end(), is_ahead);
    const Candidate& best = candidates[0];
    if (stage.last || monitor.must_stop() || !outcome.failure.empty()) break;

    const double rows = static_cast<double>(n), gain = (best.point().value - selection.fewer) / rows;
    if (stage.rows == n) selection.fewer = best.point().value;
    stage = growth.next(stage, best.point().frame.m(), gain);
    if (!stage.last && best.estimate(stage) > monitor.seconds_left())
      stage = growth.last(best.point().frame.m());
    if (candidates.size() > 1 && (stage.rows == n || decided(candidates)))
      candidates.erase(candidates.begin() + 1);
  }

  Candidate& best = candidates[0];
  if (best.rows() > 0 && !monitor.interrupted()) {
    const Step unfinished = best.step();
    best.finish();
    for (Step& step : selection.ladder)
      if (step.rows == unfinished.rows && step.m == unfinished.m && step.bound == unfinished.bound)
        step = best.step();
  }
  const ProfiledPoint& point = best.point();
  outcome.fitted = point.fitted();
  outcome.map = best.map();
  outcome.converged = best.converged() && best.rows() == n;
  outcome.exhausted = best.exhausted();
  Report& report = outcome.report;
  report.ladder = std::move(selection.ladder);
  report.rows = static_cast<std::size_t>(best.rows());
  report.bound = point.value;
  report.elbo = point.elbo;
  report.sparsity_price = point.collapsed.sparsity_price;
  report.passes = fit.passes;
  report.kept_bytes = fit.kept_bytes;
  if (best.rows() > 0 && !monitor.interrupted()) best.report_leave_one_out(report);
  return outcome;
}

}  // namespace induce
