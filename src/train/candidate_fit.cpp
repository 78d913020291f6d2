#include "train/candidate_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/leave_one_out.hpp"
#include "optim/lbfgsb.hpp"
#include "linalg/random.hpp"
#include "train/grow_inputs.hpp"
#include "train/kmeans.hpp"
#include "train/plan_kernels.hpp"
#include "train/row_sums.hpp"
#include "train/stored.hpp"

namespace induce::detail {
namespace {

// Length of the first step of L-BFGS-B in later stages, whose start is nearly right.
constexpr double later_first_step = 0.2;
// A short start has so much of the usual length-scales: short enough for a wave within a standard deviation of a feature.
constexpr double short_lengthscale = 0.3;
// When more rows arrive, the joint part has at least so much of the amplitude of the additive part.
constexpr double smallest_joint_part = 0.3;
// Passes that make a stage worth starting, and the fraction of the time budget that they may take.
constexpr double few_passes = 8, hopeless = 0.7;
constexpr Index fewest_rows_to_draw = 2000, rows_per_input = 5;  // where new inputs are drawn from
constexpr double smallest_probability = 1e-15;                   // as in Metrics

void archive_candidate(Archive a, const TrainingPlan& plan, Candidate& candidate) {
  a("map", candidate.map);
  a("kernel", candidate.kernel);
  a("short_start", candidate.short_start);
  if (candidate.map >= plan.maps.size() || candidate.kernel >= plan.kernels.size())
    a.reject("map", "does not match the data");
}

}  // namespace

Draw StagedFit::draw(Index first, Index count) const {
  std::vector<Index> rows;
  for (Index k = first; k < first + count; ++k) rows.push_back(row_at(k));
  Draw drawn = plan().rows.draw(rows);
  if (count < static_cast<Index>(order.size())) return drawn;
  // All rows: a weight of two and two copies give the same order, and so the same bits.
  std::vector<Index> distinct(drawn.distinct.size());
  std::iota(distinct.begin(), distinct.end(), Index{0});
  Random(plan().seed).shuffle(distinct);
  std::vector<Index> place_of(distinct.size());
  for (std::size_t k = 0; k < distinct.size(); ++k) place_of[distinct[k]] = static_cast<Index>(k);
  for (Index& place : drawn.place) place = place_of[drawn.distinct[place]];
  drawn.distinct = std::move(distinct);
  drawn.weight = plan().rows.weight()(drawn.distinct);
  return drawn;
}

bool StagedFit::must_leave_time(double share) const {
  const Monitor& monitor = context.monitor;
  return monitor.must_stop() || monitor.seconds() > share * (monitor.seconds() + monitor.seconds_left());
}

TrainingSide StagedFit::all_rows() const {
  const TrainingPlan& all = plan();
  return {.first_row = 0, .kernels = {std::shared_ptr<void>(), &all.kernels}, .table = all.rows.table()};
}

TrainingSide StagedFit::without(Index held_out, Index count, Index first_row) const {
  const TrainingPlan& all = plan();
  TrainingSide side{.first_row = first_row, .kernels = {}, .table = all.rows.table()};
  if (all.table_without) {
    std::vector<char> unknown(all.rows.table().n, 0);
    for (Index k = held_out; k < held_out + count; ++k) unknown[all.rows.table_row_of_user(row_at(k))] = 1;
    side.own_table = std::make_shared<const RowMatrix>(all.table_without(unknown));
    side.table.x = side.own_table->data();
  }
  const Draw rest = draw(held_out + count, static_cast<Index>(order.size()) - count);
  side.kernels =
      std::make_shared<const std::vector<KernelPlan>>(plan_kernels(all, side.table, rest, context.workers));
  return side;
}

RowMatrix CandidateFit::features_of(const Draw& rows) const {
  return feature_map().apply(side_.table, fit_->plan().rows.table_rows(rows.distinct), workers());
}

// If a stage has all rows of a large table, a sample of them is loaded.
void CandidateFit::load_rows(Index rows) {
  if (has_all(rows)) rows = fit_->plan().sample;
  if (loaded_ == rows || rows == 0) return;
  drawn_ = fit_->draw(side_.first_row, rows);
  X_ = features_of(drawn_);
  targets_ = {fit_->plan().targets.y(drawn_.distinct), drawn_.weight};
  loaded_ = rows;
}

void CandidateFit::shorten_lengthscales() {
  for_each_parameter(kernel(), [&](Index at, const KernelParameter& parameter) {
    if (parameter.name == "lengthscales") prior_.theta.segment(at, parameter.count) *= short_lengthscale;
  });
}

// The joint part of a sum with an additive one may have had too few rows to find anything, and its amplitude is then so
// small that it cannot see what more rows would show.
void CandidateFit::revive_joint_part() {
  const std::optional<Index> joint = kernel().find("signal_std"),
                             additive = kernel().find("additive.signal_std");
  if (!joint || !additive) return;
  double& amplitude = prior_.theta[*joint];
  amplitude = std::max(amplitude, smallest_joint_part * prior_.theta[*additive]);
}

void CandidateFit::start_from(const CandidateFit& other) {
  const Prior& known = other.point_.prior;
  for_each_parameter(kernel(), [&](Index at, const KernelParameter& parameter) {
    for_each_parameter(other.kernel(), [&](Index from, const KernelParameter& theirs) {
      // Additive parts of two sides may have different columns.
      for (Index k = 0; theirs.name == parameter.name && k < parameter.count; ++k) {
        Index same = k;
        if (!parameter.columns.empty() && !theirs.columns.empty())
          same = std::find(theirs.columns.begin(), theirs.columns.end(), parameter.columns[k]) -
                 theirs.columns.begin();
        if (same < theirs.count) prior_.theta[at + k] = known.theta[from + same];
      }
    });
  });
  prior_.mean = known.mean;
  prior_.classes = known.classes;
  prior_.Z = known.Z;
  point_.prior = prior_;
  warm_ = true;
  work_ = other.work_;
  start_fitted_ = other.point_.fitted();
}

void CandidateFit::place_inputs(Index m) {
  const TrainingPlan& plan = fit_->plan();
  Matrix& Z = prior_.Z;
  if (!point_.ok) {
    if (m == 0)
      Z.resize(0, X_.cols());
    else if (Z.rows() == 0)
      Z = kmeans(X_, m, workers(), {.seed = plan.seed});
    return;
  }
  const Index more = m - Z.rows();
  if (more <= 0) return;
  const Index count = std::min(X_.rows(), std::max(fewest_rows_to_draw, rows_per_input * more));
  const RowMatrix sample = X_.topRows(count);  // the order is random
  Vector mean, S2;
  Pass(sample, Z.rows(), workers()).marginals(point_.frame, point_.q(), mean, S2);
  const Index functions = point_.frame.functions();
  Sites sites(count, functions);
  refresh_sites(*make_site_rule("newton", plan.likelihood),
                {targets_.y.head(count), targets_.weight.head(count)}, mean, S2, workers(), sites);
  // The weights of g: all latent functions have the residual kernel k~, times their scale.
  Vector w = Vector::Zero(count);
  for (Index k = 0; k < sites.w.size(); ++k) {
    const double scale = point_.frame.scale(k % functions);
    w[k / functions] += scale * scale * sites.w[k];
  }
  Z = grow_inputs(point_.frame, sample, w, more, plan.seed);
}

// Initialises the sites from the current model; false if stopped before it was done.
bool CandidateFit::start(ProfiledBound& bound) {
  return fit_->context.monitor.stoppable(workers(), [&] {
    if (point_.ok)
      bound.start(prior_, point_.frame, point_.q());
    else if (start_fitted_.frame.ok)
      bound.start(prior_, start_fitted_.frame, start_fitted_.q);
    else
      bound.start(prior_);
  });
}

std::unique_ptr<SiteRows> CandidateFit::site_rows(Index rows, Index m) {
  const TrainingPlan& plan = fit_->plan();
  const StageNeeds needs{m, plan.likelihood, "newton", plan.setting, plan.memory};
  RowOwner& owner = fit_->context.owner;
  return has_all(rows) ? owner.site_rows(feature_map(), needs) : owner.site_rows(X_, targets_, needs);
}

bool CandidateFit::run(StagePlan& stage, const std::function<bool(const ProfiledPoint&)>& another_follows) {
  const TrainingPlan& plan = fit_->plan();
  const Layout& layout = kernel_plan().layout;
  Monitor& monitor = fit_->context.monitor;
  load_rows(stage.rows);
  if (rows_ > 0 && stage.rows > rows_) revive_joint_part();
  place_inputs(stage.m);
  const Index m = prior_.Z.rows();
  monitor.begin_stage(static_cast<std::size_t>(stage.rows), static_cast<std::size_t>(m), feature_map());

  ProfiledBound bound(site_rows(stage.rows, m), plan.likelihood, layout, workers());
  const bool started = start(bound);
  const ProfiledPoint& best = bound.best();

  const Index distinct = has_all(stage.rows) ? plan.all->n : X_.rows();
  const double work_per_pass = work_of_pass(distinct, m, X_.cols(), prior_.functions());
  const double begun = monitor.seconds();
  const auto pace_so_far = [&] {
    return (monitor.seconds() - begun) / (work_per_pass * static_cast<double>(std::max(bound.passes(), 1L)));
  };
  ConvergenceTest test(stage.tolerance, stage.patience, distinct, stage.last);
  LbfgsbSettings settings;
  settings.memory = 20;
  settings.first_step = point_.ok || warm_ ? later_first_step : 1;
  settings.max_iterations =
      stage.max_iter ? std::min(stage.max_iter, monitor.max_iter()) : monitor.max_iter();
  settings.max_evaluations = 20 * settings.max_iterations;
  settings.relative_reduction = 1e-10;  // `test` decides instead
  settings.projected_gradient = 1e-5;
  settings.must_stop = [&] { return monitor.must_stop() || must_leave_time(stage, pace_so_far()); };
  settings.on_iteration = [&](const Vector&, double value) {
    if (monitor.cut()) return false;
    if (fit_->seconds_left) monitor.expect(fit_->seconds_left(stage, pace_so_far()));
    monitor.after_iteration(
        best.value, fit_->passes + bound.passes(), [&] { return best.fitted(); }, [&] { return best.elbo; });
    bool ended = test.after(value, work_ + work_per_pass * static_cast<double>(bound.passes()));
    if (ended && !stage.last && another_follows && !another_follows(best)) {
      Stages::make_last(stage);
      ended = test.reconsider_as_last(stage.tolerance, stage.patience);
    }
    return !ended && !monitor.must_stop();
  };
  const auto objective = [&](const Vector& x, Vector& gradient) {
    double value = -INFINITY;
    if (started) monitor.stoppable(workers(), [&] { value = bound(x, gradient); });
    return value;
  };
  const Optimum optimum =
      maximize_lbfgsb(objective, layout.pack(prior_), layout.lower(prior_), layout.upper(prior_), settings);
  fit_->passes += bound.passes();
  work_ += work_per_pass * static_cast<double>(bound.passes());
  fit_->kept_bytes = std::max(fit_->kept_bytes, bound.kept_bytes());
  if (!best.ok) {
    load_rows(rows_);
    if (point_.ok) prior_.Z = point_.prior.Z;
    return false;
  }

  rows_ = stage.rows;
  point_ = best;
  prior_ = best.prior;
  exhausted_ = m < stage.m;
  converged_ = test.converged() || optimum.converged || optimum.stuck;
  pace_ = pace_so_far();
  fit_->stages.push_back({.rows = static_cast<std::size_t>(rows_),
                          .m = static_cast<std::size_t>(m),
                          .warp = plan.map_names[candidate_.map],
                          // That of all rows: the kernel of a side may have other columns.
                          .kernel = plan.kernels[candidate_.kernel].layout.kernel->name(),
                          .bound = point_.value,
                          .seconds = monitor.seconds()});
  return true;
}

void CandidateFit::archive(Archive& a) {
  const TrainingPlan& plan = fit_->plan();
  const Index d = feature_map().features();
  a("rows", rows_);
  if (rows_ < 0 || rows_ > plan.n) a.reject("rows", "exceeds the number of rows in the data");
  archive_prior(a.inside("prior"), prior_, *kernel_plan().layout.kernel, d);
  if (prior_.Z.rows() > plan.inducing) a.reject("prior.Z", "has more inducing inputs than requested");
  Archive point = a.inside("point");
  point_.archive(point, kernel_plan().layout.kernel, d);
  if (point_.ok && point_.frame.m() != prior_.Z.rows())
    a.reject("point", "differs from where the next stage starts in the number of inducing inputs");
  a("pace", pace_);
  a("converged", converged_);
  a("exhausted", exhausted_);
  a("warm", warm_);
  a("work", work_);
}

void CandidateFit::become_base_rate() {
  prior_ = kernel_plan().start;  // the mean is that of base rates
  for_each_parameter(kernel(), [&](Index at, const KernelParameter& parameter) {
    if (parameter.name.ends_with("signal_std"))
      prior_.theta.segment(at, parameter.count).setConstant(parameter.lower);
  });
  load_rows(rows_);
  prior_.Z = X_.topRows(std::min<Index>(1, fit_->plan().inducing));
  point_.ok = false;
  converge();
}

void CandidateFit::finish() {
  load_rows(rows_);
  converge();
}

void CandidateFit::converge() {
  constexpr double tolerance = 1e-10;
  const Layout& layout = kernel_plan().layout;
  ProfiledBound bound(site_rows(rows_, prior_.Z.rows()), fit_->plan().likelihood, layout, workers());
  if (!start(bound)) return;
  fit_->context.monitor.stoppable(workers(), [&] { bound.converge(layout.pack(prior_), tolerance); });
  fit_->passes += bound.passes();
  if (bound.best().ok) point_ = bound.best();
}

void archive_trials(Archive a, const TrainingPlan& plan, std::vector<Trial>& trials) {
  std::size_t count = trials.size();
  a("count", count);
  if (count > plan.maps.size() + plan.kernels.size() + 2) a.reject("count", "is too large");
  trials.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    Archive at = a.inside(std::to_string(k));
    Trial& trial = trials[k];
    archive_candidate(at, plan, trial.candidate);
    trial.family = plan.kernels[trial.candidate.kernel].family;
    at("bound", trial.bound);
    at("loss", trial.loss);
    at("weight", trial.weight);
    if (trial.loss.size() != trial.weight.size() ||
        (!trial.loss.empty() && trial.loss.size() != trials[0].loss.size()))
      at.reject("loss", "does not match the data");
  }
}

void archive_fit(Archive a, StagedFit& fit, std::optional<CandidateFit>& candidate,
                 const std::function<TrainingSide()>& side) {
  bool present = candidate.has_value();
  a("present", present);
  Candidate which = candidate ? candidate->candidate() : Candidate{};
  archive_candidate(a, fit.plan(), which);
  if (a.loading()) {
    candidate.reset();
    if (present) candidate.emplace(fit, which, side());
  }
  if (present) candidate->archive(a);
}

double CandidateFit::estimate(const StagePlan& stage) const {
  return few_passes * pace_ *
         work_of_pass(fit_->plan().distinct(stage.rows), stage.m, feature_map().features(),
                      prior_.functions());
}

// A stage with a subset of the rows ends early if the remaining time is needed for all rows, unless that is
// hopeless anyway.
bool CandidateFit::must_leave_time(const StagePlan& stage, double pace) const {
  const Index n = fit_->plan().n;
  if (stage.rows == n) return false;
  const Monitor& monitor = fit_->context.monitor;
  const double needed =
      few_passes * pace * work_of_pass(fit_->plan().distinct(n), stage.m, X_.cols(), prior_.functions());
  const double left = monitor.seconds_left();
  return left < needed && needed < hopeless * (left + monitor.seconds());
}

CandidateFit::HeldOut CandidateFit::predict_next(Index count) const {
  const TrainingPlan& plan = fit_->plan();
  const Draw rows = fit_->draw(side_.first_row + rows_, count);
  const RowMatrix X = features_of(rows);
  Vector mean, S2;
  Pass(X, point_.frame.m(), workers()).marginals(point_.frame, point_.q(), mean, S2);
  const Vector probability = predictive_probabilities(plan.likelihood, mean, S2, workers());
  return {to_user_rows(probability, rows, fit_->functions()), targets_of_user(plan, rows),
          base_rates(plan, fit_->draw(side_.first_row, rows_))};
}

std::vector<double> CandidateFit::HeldOut::losses() const {
  std::vector<double> losses;
  const Index rows = targets.n(), classes = probability.size() / std::max<Index>(rows, 1);
  for (Index i = 0; i < rows; ++i) {
    double p = probability[i];  // of the second of two classes
    if (classes > 1)
      p = probability[i * classes + static_cast<Index>(targets.y[i])];
    else if (targets.y[i] < 0)
      p = 1 - p;
    losses.push_back(-std::log(std::max(p, smallest_probability)));
  }
  return losses;
}

void CandidateFit::report_leave_one_out(Report& report) {
  load_rows(rows_);
  const TrainingPlan& plan = fit_->plan();
  const Likelihood& likelihood = plan.likelihood;
  const Index functions = fit_->functions();
  Pass pass(X_, point_.frame.m(), workers());  // if a table is large, of a sample
  Vector mean, S2;
  pass.marginals(point_.frame, point_.q(), mean, S2);
  Sites sites(X_.rows(), functions);
  refresh_sites(*make_site_rule("newton", likelihood), targets_, mean, S2, workers(), sites);
  const LeaveOneOut without = leave_one_out(pass, point_.frame, sites, drawn_.copies(), mean, S2);
  const Vector probability = predictive_probabilities(likelihood, without.m, without.S2, workers());
  detail::report_leave_one_out(to_user_rows(probability, drawn_, functions), targets_of_user(plan, drawn_),
                               functions, report);
}

}  // namespace induce::detail
