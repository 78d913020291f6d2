#include "train/candidate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/leave_one_out.hpp"
#include "optim/lbfgsb.hpp"
#include "state/random.hpp"
#include "train/grow_inputs.hpp"
#include "train/kmeans.hpp"
#include "train/plan_kernels.hpp"
#include "train/row_sums.hpp"
#include "train/stored.hpp"

namespace induce::detail {
namespace {

// Length of the first step of L-BFGS-B in later stages, whose start is nearly right.
constexpr double later_first_step = 0.2;
// Of a short start, relative to the usual one: short enough for a wave within a standard deviation of a feature.
constexpr double short_lengthscale = 0.3;
// Of the amplitude of the additive part: what the joint part has at least when more rows arrive.
constexpr double smallest_joint_part = 0.3;
// Passes that make a stage worth starting, and the fraction of the time budget that they may take.
constexpr double few_passes = 8, hopeless = 0.7;
constexpr Index fewest_candidates = 2000,
                candidates_per_input = 5;  // rows to draw new inputs from

}  // namespace

Draw GrowingFit::draw(Index first, Index count) const {
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

bool GrowingFit::must_leave_time(double share) const {
  const Monitor& monitor = context.monitor;
  return monitor.must_stop() || monitor.seconds() > share * (monitor.seconds() + monitor.seconds_left());
}

Side GrowingFit::all_rows() const {
  const TrainingPlan& all = plan();
  return {.first_row = 0, .kernels = {std::shared_ptr<void>(), &all.kernels}, .table = all.rows.table()};
}

Side GrowingFit::without(Index held_out, Index count, Index first_row) const {
  const TrainingPlan& all = plan();
  Side side{.first_row = first_row, .kernels = {}, .table = all.rows.table()};
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

RowMatrix Candidate::features_of(const Draw& rows) const {
  return feature_map().apply(side_.table, fit_->plan().rows.table_rows(rows.distinct), fit_->context.workers);
}

// Of a stage that has all rows of a large table, a sample is loaded.
void Candidate::load_rows(Index rows) {
  if (has_all(rows)) rows = fit_->plan().sample;
  if (loaded_ == rows || rows == 0) return;
  drawn_ = fit_->draw(side_.first_row, rows);
  X_ = features_of(drawn_);
  targets_ = {fit_->plan().targets.y(drawn_.distinct), drawn_.weight};
  loaded_ = rows;
}

void Candidate::shorten_lengthscales() {
  Index at = 0;
  for (const KernelParameter& parameter : kernel().parameters()) {
    if (parameter.name == "lengthscales") prior_.theta.segment(at, parameter.count) *= short_lengthscale;
    at += parameter.count;
  }
}

// The joint part of a sum with an additive one may have had too few rows to find anything, and its amplitude is then so
// small that it cannot see what more rows would show.
void Candidate::revive_joint_part() {
  const std::optional<Index> joint = kernel().find("signal_std"),
                             additive = kernel().find("additive.signal_std");
  if (!joint || !additive) return;
  double& amplitude = prior_.theta[*joint];
  const double least = smallest_joint_part * prior_.theta[*additive];
  if (amplitude >= least) return;
  amplitude = least;
}

void Candidate::start_from(const Candidate& other) {
  const Prior& known = other.point_.prior;
  Index at = 0;
  for (const KernelParameter& parameter : kernel().parameters()) {
    Index from = 0;
    for (const KernelParameter& theirs : other.kernel().parameters()) {
      // Additive parts of two sides may have different columns.
      for (Index k = 0; theirs.name == parameter.name && k < parameter.count; ++k) {
        Index same = k;
        if (!parameter.columns.empty() && !theirs.columns.empty())
          same = std::find(theirs.columns.begin(), theirs.columns.end(), parameter.columns[k]) -
                 theirs.columns.begin();
        if (same < theirs.count) prior_.theta[at + k] = known.theta[from + same];
      }
      from += theirs.count;
    }
    at += parameter.count;
  }
  prior_.mean = known.mean;
  prior_.classes = known.classes;
  prior_.Z = known.Z;
  point_.prior = prior_;
  warm_ = true;
  work_ = other.work_;
  start_fitted_ = other.point_.fitted();
}

void Candidate::place_inputs(Index m) {
  const TrainingPlan& plan = fit_->plan();
  Workers& workers = fit_->context.workers;
  Matrix& Z = prior_.Z;
  if (!point_.ok) {
    if (Z.rows() == 0) Z = kmeans(X_, m, workers, {.seed = plan.seed});
    return;
  }
  const Index more = m - Z.rows();
  if (more <= 0) return;
  const Index count = std::min(X_.rows(), std::max(fewest_candidates, candidates_per_input * more));
  const RowMatrix sample = X_.topRows(count);  // the order is random
  Vector mean, S2;
  Pass(sample, Z.rows(), workers).marginals(point_.frame, point_.q(), mean, S2);
  const Index functions = point_.frame.functions();
  Sites sites(count, functions);
  refresh_sites(*make_site_rule("newton", plan.likelihood),
                {targets_.y.head(count), targets_.weight.head(count)}, mean, S2, workers, sites);
  Vector w =
      Vector::Zero(count);  // of g: all latent functions have the residual kernel k~, times their scale
  for (Index k = 0; k < sites.w.size(); ++k) {
    const double scale = point_.frame.scale(k % functions);
    w[k / functions] += scale * scale * sites.w[k];
  }
  Z = grow_inputs(point_.frame, sample, w, more, plan.seed);
}

// Initialises the sites from the current model; false if stopped before it was done.
bool Candidate::start(ProfiledBound& bound) {
  return fit_->context.monitor.stoppable(fit_->context.workers, [&] {
    if (point_.ok)
      bound.start(prior_, point_.frame, point_.q());
    else if (start_fitted_.frame.ok)
      bound.start(prior_, start_fitted_.frame, start_fitted_.q);
    else
      bound.start(prior_);
  });
}

std::unique_ptr<SiteRows> Candidate::place_rows(const Stage& stage, Index m) {
  const TrainingPlan& plan = fit_->plan();
  const StageNeeds needs{m, plan.likelihood, "newton", plan.setting, plan.memory};
  RowOwner& owner = fit_->context.owner;
  return has_all(stage.rows) ? owner.site_rows(feature_map(), needs) : owner.site_rows(X_, targets_, needs);
}

bool Candidate::run(Stage& stage, const std::function<bool(const ProfiledPoint&)>& goes_on) {
  const TrainingPlan& plan = fit_->plan();
  const Layout& layout = kernel_plan().layout;
  Monitor& monitor = fit_->context.monitor;
  load_rows(stage.rows);
  if (rows_ > 0 && stage.rows > rows_) revive_joint_part();
  place_inputs(stage.m);
  const Index m = prior_.Z.rows();
  monitor.begin_stage(static_cast<std::size_t>(stage.rows), static_cast<std::size_t>(m), feature_map());

  ProfiledBound bound(place_rows(stage, m), plan.likelihood, layout, fit_->context.workers);
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
    if (ended && !stage.last && goes_on && !goes_on(best)) {
      Growth::make_last(stage);
      ended = test.reconsider_as_last(stage.tolerance, stage.patience);
    }
    return !ended && !monitor.must_stop();
  };
  const auto objective = [&](const Vector& x, Vector& gradient) {
    double value = -INFINITY;
    if (started) monitor.stoppable(fit_->context.workers, [&] { value = bound(x, gradient); });
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
  seconds_ = monitor.seconds();
  pace_ = pace_so_far();
  return true;
}

void Candidate::archive(Archive& a) {
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
  a("seconds", seconds_);
  a("pace", pace_);
  a("converged", converged_);
  a("exhausted", exhausted_);
  a("warm", warm_);
  a("work", work_);
}

void Candidate::become_base_rate() {
  prior_ = kernel_plan().start;  // the mean is that of base rates
  Index at = 0;
  for (const KernelParameter& parameter : kernel().parameters()) {
    if (parameter.name.ends_with("signal_std")) prior_.theta[at] = parameter.lower;
    at += parameter.count;
  }
  load_rows(rows_);
  prior_.Z = X_.topRows(1);
  point_.ok = false;
  converge();
}

void Candidate::finish() {
  load_rows(rows_);
  converge();
}

void Candidate::converge() {
  constexpr double tolerance = 1e-10;
  const Layout& layout = kernel_plan().layout;
  const Index m = prior_.Z.rows();
  ProfiledBound bound(place_rows({.rows = rows_, .m = m}, m), fit_->plan().likelihood, layout,
                      fit_->context.workers);
  if (!start(bound)) return;
  fit_->context.monitor.stoppable(fit_->context.workers,
                                  [&] { bound.converge(layout.pack(prior_), tolerance); });
  fit_->passes += bound.passes();
  if (bound.best().ok) point_ = bound.best();
}

void archive_choice(Archive a, const TrainingPlan& plan, Choice& choice) {
  a("map", choice.map);
  a("kernel", choice.kernel);
  a("short_start", choice.short_start);
  if (choice.map >= plan.maps.size() || choice.kernel >= plan.kernels.size())
    a.reject("map", "does not match the data");
}

void check_labels_of(Archive& a, const std::string& name, const std::vector<double>& labels,
                     Index functions) {
  const bool known = std::all_of(labels.begin(), labels.end(), [&](double label) {
    return functions == 1
               ? std::abs(label) == 1
               : label >= 0 && label < static_cast<double>(functions) && label == std::floor(label);
  });
  if (!known) a.reject(name, "has a label that is not a class");
}

double Candidate::estimate(const Stage& stage) const {
  return few_passes * pace_ *
         work_of_pass(fit_->plan().distinct(stage.rows), stage.m, feature_map().features(),
                      prior_.functions());
}

// A stage with a subset of the rows ends early if the remaining time is needed for all rows, unless that is
// hopeless anyway.
bool Candidate::must_leave_time(const Stage& stage, double pace) const {
  const Index n = fit_->plan().n;
  if (stage.rows == n) return false;
  const Monitor& monitor = fit_->context.monitor;
  const double needed =
      few_passes * pace * work_of_pass(fit_->plan().distinct(n), stage.m, X_.cols(), prior_.functions());
  const double left = monitor.seconds_left();
  return left < needed && needed < hopeless * (left + monitor.seconds());
}

Step Candidate::step() const {
  return {.rows = static_cast<std::size_t>(rows_),
          .m = static_cast<std::size_t>(point_.frame.m()),
          .warp = fit_->plan().map_names[choice_.map],
          .kernel = fit_->plan()
                        .kernels[choice_.kernel]
                        .layout.kernel->name(),  // that of a side may have other columns
          .bound = point_.value,
          .seconds = seconds_};
}

Candidate::HeldOut Candidate::predict_next(Index count) const {
  Workers& workers = fit_->context.workers;
  const TrainingPlan& plan = fit_->plan();
  const Draw rows = fit_->draw(side_.first_row + rows_, count);
  const RowMatrix X = features_of(rows);
  Vector mean, S2;
  Pass(X, point_.frame.m(), workers).marginals(point_.frame, point_.q(), mean, S2);
  const Vector probability = predictive_probabilities(plan.likelihood, mean, S2, workers);
  return {to_user_rows(probability, rows, plan.likelihood.latent_functions()), targets_of_user(plan, rows),
          base_rates(plan, fit_->draw(side_.first_row, rows_))};
}

void Candidate::report_leave_one_out(Report& report) {
  load_rows(rows_);
  Workers& workers = fit_->context.workers;
  const TrainingPlan& plan = fit_->plan();
  const Likelihood& likelihood = plan.likelihood;
  const Index functions = likelihood.latent_functions();
  Pass pass(X_, point_.frame.m(), workers);  // if a table is large, of a sample
  Vector mean, S2;
  pass.marginals(point_.frame, point_.q(), mean, S2);
  Sites sites(X_.rows(), functions);
  refresh_sites(*make_site_rule("newton", likelihood), targets_, mean, S2, workers, sites);
  const LeaveOneOut without = leave_one_out(pass, point_.frame, sites, drawn_.copies(), mean, S2);
  const Vector probability = predictive_probabilities(likelihood, without.m, without.S2, workers);
  detail::report_leave_one_out(to_user_rows(probability, drawn_, functions), targets_of_user(plan, drawn_),
                               functions, report);
}

}  // namespace induce::detail
