#include "train/candidate_fit.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/leave_one_out.hpp"
#include "optim/lbfgsb.hpp"
#include "train/plan_kernels.hpp"
#include "train/policy.hpp"
#include "train/row_sums.hpp"
#include "train/stored.hpp"

namespace induce::detail {
namespace {

void archive_candidate(Archive a, const TrainingPlan& plan, Candidate& candidate) {
  a("map", candidate.map);
  a("kernel", candidate.kernel);
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

// Work on the next model: the end of the time interrupts it if there is one already.
bool CandidateFit::runs(bool has_model, const std::function<void()>& work) {
  Monitor& monitor = fit_->context.monitor;
  return has_model ? monitor.within_time(workers(), work) : monitor.stoppable(workers(), work);
}

// Initialises the sites from the current model; false if stopped before it was done.
bool CandidateFit::start(ProfiledBound& bound) {
  return runs(point_.ok, [&] {
    if (point_.ok)
      bound.start(prior_, point_.frame, point_.q());
    else if (start_fitted_.frame.ok)
      bound.start(prior_, start_fitted_.frame, start_fitted_.q);
    else
      bound.start(prior_);
  });
}

std::unique_ptr<SiteRows> CandidateFit::site_rows(Index rows, Index m, const DoubtfulRows* own) {
  const TrainingPlan& plan = fit_->plan();
  const StageNeeds needs{m, plan.likelihood, "newton", setting_, plan.memory};
  RowOwner& owner = fit_->context.owner;
  if (own) return owner.site_rows(own->X, own->targets, needs);
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
  const bool terms = has_terms(kernel_plan().name), find = point_.ok ? stage.rows > rows_ : !warm_;
  if (terms && !runs(point_.ok, [&] {
        if (point_.ok) drop_terms(stage);
        if (find) find_terms(stage);
      }))
    return restore();
  place_inputs(stage.m);
  const Index m = prior_.Z.rows();
  monitor.begin_stage(static_cast<std::size_t>(stage.rows), static_cast<std::size_t>(m), feature_map());

  std::optional<DoubtfulRows> some;
  if (point_.ok && !has_all(stage.rows) && !runs(true, [&] {
        some = doubtful_rows(point_.fitted(), X_, targets_, drawn_.distinct, plan.likelihood,
                             plan.options.effort, plan.seed, workers());
      }))
    return restore();
  if (some) Stages::make_cheap(stage);
  ProfiledBound bound(site_rows(stage.rows, m, some ? &*some : nullptr), plan.likelihood, layout_, workers());
  const bool started = start(bound);
  const ProfiledPoint& best = bound.best();

  const Index distinct = has_all(stage.rows) ? plan.all->n : X_.rows();
  const double work_per_pass = work_of_pass(some ? some->X.rows() : distinct, m, X_.cols(),
                                            prior_.functions(), TermSize(kernel().terms()));
  const double begun = monitor.seconds();
  const auto pace_so_far = [&] {
    return (monitor.seconds() - begun) / (work_per_pass * static_cast<double>(std::max(bound.passes(), 1L)));
  };
  ConvergenceTest test(stage.tolerance, stage.patience, distinct);
  LbfgsbSettings settings;
  settings.memory = 20;
  settings.max_iterations =
      stage.max_iter ? std::min(stage.max_iter, monitor.max_iter()) : monitor.max_iter();
  settings.max_evaluations = 20 * settings.max_iterations;
  settings.relative_reduction = 1e-10;  // `test` decides instead
  settings.projected_gradient = 1e-5;
  settings.must_stop = [&] {
    return monitor.must_stop() || must_leave_time(stage, some.has_value(), pace_so_far());
  };
  settings.on_iteration = [&](const Vector&, double value) {
    if (monitor.cut()) return false;
    if (fit_->seconds_left) monitor.expect(fit_->seconds_left(stage, pace_so_far()));
    monitor.after_iteration(
        best.value, fit_->passes + bound.passes(), [&] { return best.fitted(); }, [&] { return best.elbo; });
    bool ended = test.after(value, work_ + work_per_pass * static_cast<double>(bound.passes()));
    if (ended && !stage.last && !some && another_follows && !another_follows(best)) {
      Stages::make_last(stage);
      ended = test.reconsider(stage.patience);
    }
    return !ended && !monitor.must_stop();
  };
  const auto objective = [&](const Vector& x, Vector& gradient) {
    double value = -INFINITY;
    const auto evaluate = [&] { value = bound(x, gradient); };
    if (started) runs(best.ok || point_.ok, evaluate);
    const double report =
        policy::passes_of_report * pace_so_far() *
        work_of_pass(distinct, m, X_.cols(), prior_.functions(), TermSize(kernel().terms()));
    if (!has_all(stage.rows)) monitor.reserve(report);
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
  if (some) {
    point_.elbo += some->rest;
    point_.value += some->rest;
  }
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
  prior_.Z = X_.topRows(1);  // of terms alone too, which are gone
  point_.ok = false;
  converge();
  // q is the prior: what is left of the function would order the rows.
  for (Collapsed& each : point_.collapsed) {
    for (Vector* numbers : {&each.q.a, &each.q.alpha}) numbers->setZero();
    for (Matrix* numbers : {&each.q.D, &each.q.P}) numbers->setZero();
  }
}

bool CandidateFit::finish() {
  load_rows(rows_);
  return converge();
}

bool CandidateFit::converge() {
  constexpr double tolerance = 1e-8;
  ProfiledBound bound(site_rows(rows_, prior_.Z.rows()), fit_->plan().likelihood, layout_, workers());
  const bool done = start(bound) && runs(point_.ok, [&] { bound.converge(layout_.pack(prior_), tolerance); });
  fit_->passes += bound.passes();
  if (bound.best().ok) point_ = bound.best();
  return done && bound.best().ok;
}

void archive_trials(Archive a, const TrainingPlan& plan, std::vector<Trial>& trials) {
  std::size_t count = trials.size();
  a("count", count);
  if (count > plan.maps.size() + plan.kernels.size() + 2) a.reject("count", "is too large");
  trials.resize(count);
  std::size_t judges = 0;  // rows that judge them
  for (std::size_t k = 0; k < count; ++k) {
    Archive at = a.inside(std::to_string(k));
    Trial& trial = trials[k];
    archive_candidate(at, plan, trial.candidate);
    trial.family = plan.kernels[trial.candidate.kernel].family;
    at("bound", trial.bound);
    at("loss", trial.loss);
    at("weight", trial.weight);
    if (trial.loss.size() != trial.weight.size() ||
        (judges > 0 && !trial.loss.empty() && trial.loss.size() != judges))
      at.reject("loss", "does not match the data");
    judges = std::max(judges, trial.loss.size());
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
  return policy::few_passes * pace_ *
         work_of_pass(fit_->plan().distinct(stage.rows), stage.m, feature_map().features(),
                      prior_.functions(), TermSize(kernel().terms()));
}

// A stage with a subset of the rows ends early if the remaining time is needed for all rows, unless that is
// policy::hopeless anyway.
bool CandidateFit::must_leave_time(const StagePlan& stage, bool thinned, double pace) const {
  const Index n = fit_->plan().n;
  if (stage.rows == n && !thinned) return false;
  const Monitor& monitor = fit_->context.monitor;
  const double needed = policy::few_passes * pace *
                        work_of_pass(fit_->plan().distinct(n), stage.m, X_.cols(), prior_.functions(),
                                     TermSize(kernel().terms()));
  const double left = monitor.seconds_left();
  return left < needed && needed < policy::hopeless * (left + monitor.seconds());
}

CandidateFit::HeldOut CandidateFit::predict_next(Index count) const {
  const TrainingPlan& plan = fit_->plan();
  const Draw rows = fit_->draw(side_.first_row + rows_, count);
  const RowMatrix X = features_of(rows);
  Vector mean, S2;
  Pass(X, point_.frame.m(), workers()).marginals(point_.frame, point_.q(), mean, S2);
  const auto likelihood = plan.likelihood.given(point_.prior.thresholds);
  const Vector probability = predictive_probabilities(*likelihood, mean, S2, workers());
  return {to_user_rows(probability, rows, likelihood->probabilities()), targets_of_user(plan, rows),
          base_rates(plan, fit_->draw(side_.first_row, rows_))};
}

void CandidateFit::report_leave_one_out(Report& report) {
  load_rows(rows_);
  const TrainingPlan& plan = fit_->plan();
  const auto given = plan.likelihood.given(point_.prior.thresholds);
  const Likelihood& likelihood = *given;
  Pass pass(X_, point_.frame.m(), workers());  // if a table is large, of a sample
  Vector mean, S2;
  pass.marginals(point_.frame, point_.q(), mean, S2);
  Sites sites(X_.rows(), fit_->functions());
  refresh_sites(*make_site_rule("newton", likelihood), targets_, mean, S2, workers(), sites);
  const LeaveOneOut without = leave_one_out(pass, point_.frame, sites, drawn_.copies(), mean, S2);
  const Vector probability = predictive_probabilities(likelihood, without.m, without.S2, workers());
  detail::report_leave_one_out(to_user_rows(probability, drawn_, likelihood.probabilities()),
                               targets_of_user(plan, drawn_), likelihood, report);
}

}  // namespace induce::detail
