// vi-newton: theta, mean and Z jointly by L-BFGS-B on the profiled true bound (profiled_bound.hpp), in stages
// with more and more rows and inducing inputs (stages.hpp). Before that, or as its first stage, the feature map and the
// kernel are chosen (cross_validation.hpp for small tables, choose_model.hpp for others).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "state/random.hpp"
#include "text/words.hpp"
#include "train/choose_model.hpp"
#include "train/cross_validation.hpp"

namespace induce::detail {
namespace {

constexpr double usual_passes = 20;  // of a stage, for estimates

// The state between two stages.
struct GrowingState {
  GrowingFit& fit;
  CrossValidation small;
  ModelChoice choice;
  std::optional<Candidate> candidate{};  // once it is chosen
  std::vector<Step> ladder{};
  Stage stage{};
  double fewer = -INFINITY;  // the bound over all rows with fewer inducing inputs
  double choosing_seconds = 0;

  void archive(Archive& a);
};

Index position(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) - names.begin();
}

void archive_ladder(Archive a, const TrainingPlan& plan, std::vector<Step>& ladder) {
  std::vector<std::string> kernels;
  for (const KernelPlan& each : plan.kernels) kernels.push_back(each.layout.kernel->name());
  std::vector<Index> rows, m, warp, kernel;
  std::vector<double> bound, seconds;
  for (const Step& step : ladder) {
    rows.push_back(static_cast<Index>(step.rows));
    m.push_back(static_cast<Index>(step.m));
    warp.push_back(position(plan.map_names, step.warp));
    kernel.push_back(position(kernels, step.kernel));
    bound.push_back(step.bound);
    seconds.push_back(step.seconds);
  }
  a("rows", rows);
  a("m", m);
  a("warp", warp);
  a("kernel", kernel);
  a("bound", bound);
  a("seconds", seconds);
  const std::size_t steps = rows.size();
  for (const std::size_t length : {m.size(), warp.size(), kernel.size(), bound.size(), seconds.size()})
    if (length != steps) a.reject("rows", "differs in length from the other columns");
  ladder.clear();
  for (std::size_t k = 0; k < steps; ++k) {
    if (warp[k] < 0 || warp[k] >= static_cast<Index>(plan.map_names.size()) || kernel[k] < 0 ||
        kernel[k] >= static_cast<Index>(kernels.size()))
      a.reject("warp", "is out of range");
    ladder.push_back({.rows = static_cast<std::size_t>(rows[k]),
                      .m = static_cast<std::size_t>(m[k]),
                      .warp = plan.map_names[warp[k]],
                      .kernel = kernels[kernel[k]],
                      .bound = bound[k],
                      .seconds = seconds[k]});
  }
}

void GrowingState::archive(Archive& a) {
  const TrainingPlan& plan = fit.plan();
  a.part("small", small);
  a.part("choice", choice);
  bool growing = candidate.has_value();
  a("growing", growing);
  Choice chosen = candidate ? candidate->choice() : Choice{};
  archive_choice(a.inside("chosen"), plan, chosen);
  a.part("stage", stage);
  if (stage.rows < 1 || stage.rows > plan.n || stage.m < 1 || stage.m > plan.inducing)
    a.reject("stage", "does not match the data");
  if (a.loading() && growing) candidate.emplace(fit, chosen, fit.all_rows());
  if (growing) a.part("candidate", *candidate);
  archive_ladder(a.inside("ladder"), plan, ladder);
  a("fewer", fewer);
  a("choosing_seconds", choosing_seconds);
  a("passes", fit.passes);
  a("kept_bytes", fit.kept_bytes);
}

// The candidate that was chosen without held-out rows, for all rows. These may suggest other columns for its additive part; then
// its first stage is run again.
Candidate with_all_rows(GrowingFit& fit, const Candidate& chosen) {
  Candidate all(fit, chosen.choice(), fit.all_rows());
  if (chosen.side().own_table) return all;
  if (all.kernel().name() == chosen.kernel().name()) {
    all = chosen;
    all.use(fit.all_rows());
  } else {
    all.start_from(chosen);
  }
  return all;
}

std::string not_finite(const Stage& stage) {
  return "the bound is not finite at the start of a stage of " + std::to_string(stage.rows) + " rows and " +
         std::to_string(stage.m) + " inducing " + noun(static_cast<std::size_t>(stage.m), "input");
}

}  // namespace

Outcome train_newton(const FitContext& context) {
  const TrainingPlan& plan = context.plan;
  Monitor& monitor = context.monitor;
  const Index n = plan.n, functions = plan.likelihood.latent_functions();
  std::vector<Index> order(static_cast<std::size_t>(plan.rows.user_rows()));
  std::iota(order.begin(), order.end(), Index{0});
  Random(plan.seed).shuffle(order);
  GrowingFit fit{context, order};
  const double share =
      static_cast<double>(rows_of_rare_class(plan.class_rows())) / static_cast<double>(order.size());
  const Growth growth(n, plan.maps[0].features(), plan.inducing, plan.find_inducing,
                      plan.kernels[0].layout.inputs, std::lround(share * static_cast<double>(n)),
                      plan.all ? plan.sample : 0, plan.distinct(n));
  if (!plan.all && growth.first().rows == n) arrange_folds(plan, order);
  GrowingState state{.fit = fit, .small = {fit, growth.first()}, .choice = {fit, growth.first()}};
  Stage& stage = state.stage;
  stage = growth.first();
  const Keeper::Part part(&context.keeper, "growth", [&](Archive& a) { state.archive(a); });

  fit.seconds_left = [&](const Stage& now, double pace) {
    double work = 0;
    const auto usual = [&](const Stage& of) {
      return usual_passes * work_of_pass(plan.distinct(of.rows), of.m, plan.maps[0].features(), functions);
    };
    for (Stage later = now; later.rows < n; work += usual(later)) later = growth.next(later, later.m);
    return pace * (usual(now) / 2 + work);
  };

  Outcome outcome;
  bool run_first = true;
  if (!state.candidate) {
    if (state.small.needed()) state.small.run(state.ladder);
    if (state.choice.needed()) state.choice.run(state.ladder);
    if (state.small.needed() || state.choice.needed()) state.choosing_seconds = monitor.seconds();
    if (const Candidate* best = state.small.needed() ? state.small.chosen() : state.choice.best()) {
      state.candidate = with_all_rows(fit, *best);
      run_first = state.small.needed() || state.candidate->rows() < stage.rows;
    } else {
      state.candidate.emplace(fit, Choice{}, fit.all_rows());
    }
  }
  Candidate& candidate = *state.candidate;
  const bool base_rate =
      state.small.needed() && plan.kernels[0].layout.mean && !state.small.features_predict();
  const auto goes_on = [&](const ProfiledPoint& point) {
    return stage.rows < n || growth.worth_growing(stage, point.frame.m(), point.value,
                                                  point.value - state.fewer, point.sparsity_price());
  };
  for (bool run = run_first; !base_rate && (!monitor.must_stop() || candidate.rows() == 0); run = true) {
    if (run) {
      if (candidate.run(stage, goes_on))
        state.ladder.push_back(candidate.step());
      else if (!monitor.interrupted())
        outcome.failure = not_finite(stage);
    }
    if (stage.last || monitor.must_stop() || !outcome.failure.empty()) break;

    const ProfiledPoint& point = candidate.point();
    if (stage.rows == n && !goes_on(point)) break;  // the optimizer ended the stage, not its tolerance
    if (stage.rows == n) state.fewer = point.value;
    stage = growth.next(stage, point.frame.m());
    if (!stage.last && candidate.estimate(stage) > monitor.seconds_left())
      stage = growth.last(point.frame.m());
    monitor.end_of_stage(context.keeper);
  }

  if (base_rate)
    candidate.become_base_rate();
  else if (candidate.rows() > 0 && !monitor.must_stop())
    candidate.finish();
  if (!state.ladder.empty() && candidate.rows() > 0) state.ladder.back().bound = candidate.point().value;
  const ProfiledPoint& point = candidate.point();
  outcome.fitted = point.fitted();
  outcome.map = candidate.choice().map;
  outcome.converged = base_rate || (candidate.converged() && candidate.rows() == n);
  outcome.exhausted = candidate.exhausted();
  Report& report = outcome.report;
  report.ladder = std::move(state.ladder);
  report.rows = static_cast<std::size_t>(candidate.rows());
  report.bound = point.value;
  report.elbo = point.elbo;
  report.sparsity_price = point.sparsity_price();
  report.passes = fit.passes;
  report.kept_bytes = fit.kept_bytes;
  report.choosing_seconds = state.choosing_seconds;
  if (report.ladder.size() > 1)
    report.last_seconds = report.ladder.back().seconds - report.ladder[report.ladder.size() - 2].seconds;
  else
    report.last_seconds = monitor.seconds();
  if (!base_rate) report.doubling_gain = point.sparsity_price();
  if (std::isfinite(state.fewer) && point.value > state.fewer)
    report.doubling_gain = std::min(report.doubling_gain, (point.value - state.fewer) / 2);
  state.small.report(report);
  state.choice.report(report);
  if (candidate.rows() > 0 && !monitor.interrupted()) candidate.report_leave_one_out(report);
  return outcome;
}

}  // namespace induce::detail
