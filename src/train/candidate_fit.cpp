#include "train/candidate_fit.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/leave_one_out.hpp"
#include "optim/lbfgsb.hpp"
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
constexpr int short_fit = 8;  // iterations of main effects alone
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

// Another kernel, with the parameters that it shares with the one before.
void CandidateFit::use_kernel(const std::string& name) {
  const std::shared_ptr<const Kernel> before = std::exchange(layout_.kernel, make_kernel(name, setting_));
  const Vector theta = std::exchange(prior_.theta, kernel().start());
  carry_over(*before, theta, kernel(), prior_.theta);
}

void CandidateFit::start_from(const CandidateFit& other) {
  const Prior& known = other.point_.prior;
  if (has_terms(kernel_plan().name) && !other.terms_.empty()) {
    const std::string joint = terms_.joint;
    terms_ = other.terms_;
    terms_.joint = joint;
    setting_ = other.setting_;
    use_kernel(terms_.varied(setting_).name());
  }
  carry_over(other.kernel(), known.theta, kernel(), prior_.theta);
  prior_.mean = known.mean;
  prior_.classes = known.classes;
  prior_.Z = known.Z;
  point_.prior = prior_;
  warm_ = true;
  work_ = other.work_;
  start_fitted_ = other.point_.fitted();
}

void CandidateFit::find_terms() {
  const Likelihood& likelihood = fit_->plan().likelihood;
  const auto grow = [&](const auto& by, const Slopes& slopes) {
    by(terms_, feature_map(), X_, targets_.weight, slopes, workers());
    place_axes(terms_, feature_map(), X_, targets_.weight, setting_);
  };
  Fitted known;
  if (point_.ok) {
    drop_vanished(terms_, kernel(), prior_.theta);
    known = point_.fitted();
  } else {
    grow(grow_mains, slopes_at_base_rate(targets_, likelihood));
    if (!terms_.varied(setting_).mains.empty()) start_fitted_ = known = fit_mains();
  }
  grow(grow_mains_and_pairs, known.frame.ok ? slopes_at(known, X_, targets_, likelihood, workers())
                                            : slopes_at_base_rate(targets_, likelihood));
  use_kernel(terms_.varied(setting_).name());
  if (point_.ok || !known.frame.ok) return;
  carry_over(*known.frame.kernel, known.frame.prior.theta, kernel(), prior_.theta);
  prior_.mean = known.frame.prior.mean;
  prior_.classes = known.frame.prior.classes;
}

// A short fit of main effects alone.
Fitted CandidateFit::fit_mains() {
  TermList alone = terms_;
  alone.joint.clear();
  alone.pairs.clear();
  const Layout layout{
      .kernel = make_kernel(alone.varied(setting_).name(), setting_), .mean = layout_.mean, .inputs = false};
  Prior prior = prior_;
  prior.theta = layout.kernel->start();
  prior.Z.resize(0, X_.cols());
  const StageNeeds needs{0, fit_->plan().likelihood, "newton", setting_, 0};
  ProfiledBound bound(fit_->context.owner.site_rows(X_, targets_, needs), fit_->plan().likelihood, layout,
                      workers());
  LbfgsbSettings settings;
  settings.max_iterations = short_fit;
  settings.max_evaluations = 2 * short_fit;
  fit_->context.monitor.stoppable(workers(), [&] {
    bound.start(prior);
    maximize_lbfgsb([&](const Vector& x, Vector& gradient) { return bound(x, gradient); }, layout.pack(prior),
                    layout.lower(prior), layout.upper(prior), settings);
  });
  fit_->passes += bound.passes();
  return bound.best().ok ? bound.best().fitted() : Fitted{};
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
  const StageNeeds needs{m, plan.likelihood, "newton", setting_, plan.memory};
  RowOwner& owner = fit_->context.owner;
  return has_all(rows) ? owner.site_rows(feature_map(), needs) : owner.site_rows(X_, targets_, needs);
}

bool CandidateFit::run(StagePlan& stage, const std::function<bool(const ProfiledPoint&)>& another_follows) {
  const TrainingPlan& plan = fit_->plan();
  Monitor& monitor = fit_->context.monitor;
  load_rows(stage.rows);
  const auto before = std::tuple(terms_, layout_, setting_, prior_);
  const auto restore = [&] {
    load_rows(rows_);
    std::tie(terms_, layout_, setting_, prior_) = before;
    return false;
  };
  if (has_terms(kernel_plan().name) && (point_.ok ? stage.rows > rows_ : !warm_) &&
      !monitor.stoppable(workers(), [&] { find_terms(); }))
    return restore();
  place_inputs(stage.m);
  const Index m = prior_.Z.rows();
  monitor.begin_stage(static_cast<std::size_t>(stage.rows), static_cast<std::size_t>(m), feature_map());

  ProfiledBound bound(site_rows(stage.rows, m), plan.likelihood, layout_, workers());
  const bool started = start(bound);
  const ProfiledPoint& best = bound.best();

  const Index distinct = has_all(stage.rows) ? plan.all->n : X_.rows();
  const double work_per_pass = work_of_pass(distinct, m, X_.cols(), prior_.functions(), kernel().terms());
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
  const Optimum optimum = maximize_lbfgsb(objective, layout_.pack(prior_), layout_.lower(prior_),
                                          layout_.upper(prior_), settings);
  fit_->passes += bound.passes();
  work_ += work_per_pass * static_cast<double>(bound.passes());
  fit_->kept_bytes = std::max(fit_->kept_bytes, bound.kept_bytes());
  if (!best.ok) return restore();

  rows_ = stage.rows;
  point_ = best;
  prior_ = best.prior;
  exhausted_ = m < stage.m;
  converged_ = test.converged() || optimum.converged || optimum.stuck;
  pace_ = pace_so_far();
  fit_->stages.push_back({.rows = static_cast<std::size_t>(rows_),
                          .m = static_cast<std::size_t>(m),
                          .warp = plan.map_names[candidate_.map],
                          .kernel = plan.kernels[candidate_.kernel].name,
                          .bound = point_.value,
                          .seconds = monitor.seconds()});
  return true;
}

void CandidateFit::archive(Archive& a) {
  const TrainingPlan& plan = fit_->plan();
  const Index d = feature_map().features();
  a("rows", rows_);
  if (rows_ < 0 || rows_ > plan.n) a.reject("rows", "exceeds the number of rows in the data");
  if (!terms_.knots.empty()) {
    a.part("terms", terms_);
    archive_axes(a.inside("axes"), terms_, feature_map(), setting_);
    if (a.loading() && !terms_.empty())
      layout_.kernel = make_kernel(terms_.varied(setting_).name(), setting_);
  }
  archive_prior(a.inside("prior"), prior_, kernel(), d);
  if (prior_.Z.rows() > plan.inducing) a.reject("prior.Z", "has more inducing inputs than requested");
  Archive point = a.inside("point");
  point_.archive(point, layout_.kernel, d);
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
  layout_ = kernel_plan().layout;
  terms_ = {};
  for_each_parameter(kernel(), [&](Index at, const KernelParameter& parameter) {
    if (parameter.name.ends_with("signal_std"))
      prior_.theta.segment(at, parameter.count).setConstant(parameter.lower);
  });
  load_rows(rows_);
  prior_.Z = X_.topRows(std::min<Index>(1, fit_->plan().inducing));
  point_.ok = false;
  converge();
}

bool CandidateFit::finish() {
  load_rows(rows_);
  return converge();
}

bool CandidateFit::converge() {
  constexpr double tolerance = 1e-10;
  ProfiledBound bound(site_rows(rows_, prior_.Z.rows()), fit_->plan().likelihood, layout_, workers());
  const bool done = start(bound) && fit_->context.monitor.stoppable(
                                        workers(), [&] { bound.converge(layout_.pack(prior_), tolerance); });
  fit_->passes += bound.passes();
  if (bound.best().ok) point_ = bound.best();
  return done && bound.best().ok;
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
                      prior_.functions(), kernel().terms());
}

// A stage with a subset of the rows ends early if the remaining time is needed for all rows, unless that is
// hopeless anyway.
bool CandidateFit::must_leave_time(const StagePlan& stage, double pace) const {
  const Index n = fit_->plan().n;
  if (stage.rows == n) return false;
  const Monitor& monitor = fit_->context.monitor;
  const double needed =
      few_passes * pace *
      work_of_pass(fit_->plan().distinct(n), stage.m, X_.cols(), prior_.functions(), kernel().terms());
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
