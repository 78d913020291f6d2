#include "train/contender.hpp"

#include <algorithm>

#include <induce/error.hpp>

#include "core/leave_one_out.hpp"
#include "train/kmeans.hpp"
#include "optim/lbfgsb.hpp"
#include "train/grow_inputs.hpp"
#include "train/profiled_bound.hpp"
#include "train/row_sums.hpp"
#include "train/stored.hpp"

namespace induce {
namespace {

// L-BFGS-B knows no scale at first: the length of its first step. After the first stage all is nearly right.
constexpr double later_first_step = 0.2;
// Operations, half a second: even a fit that has cost little may go on for that long at the end.
constexpr double patience = 2e10;
// Passes that make it worth beginning a stage, and the part of the time budget that they may take.
constexpr double few_passes = 8, hopeless = 0.7;
constexpr Index fewest_candidates = 2000, candidates_per_input = 5;  // rows that new inputs are drawn from

TableView view_of(const RowMatrix& X) {
  return {X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())};
}

}  // namespace

void Contender::load_rows(Index rows) {
  if (X_.rows() == rows || rows == 0) return;
  const GrowingData& data = arena_->data;
  const std::vector<Index> chosen(arena_->order.begin(), arena_->order.begin() + rows);
  std::vector<Index> of_table;
  for (const Index i : chosen) of_table.push_back(data.rows.rows[i]);
  X_ = map_of_features().apply(data.rows.table, of_table, arena_->workers);
  targets_ = data.targets.of_rows(chosen);
}

void Contender::place_inputs(Index m) {
  Matrix& Z = prior_.Z;
  if (!fitted_.frame.ok) {
    Z = kmeans(X_, m, {.seed = arena_->seed, .threads = arena_->workers.size()});
    return;
  }
  const Index more = m - Z.rows();
  if (more <= 0) return;
  const Index count = std::min(X_.rows(), std::max(fewest_candidates, candidates_per_input * more));
  const RowMatrix candidates = X_.topRows(count);  // the order is random
  Vector mean, S2;
  Pass(candidates, Z.rows(), arena_->workers).marginals(fitted_.frame, fitted_.q, mean, S2);
  Sites sites(count);
  refresh_sites(site_rule("newton"), {targets_.y.head(count), targets_.weight.head(count)}, mean, S2,
                arena_->workers, sites);
  Z = grow_inputs(fitted_.frame, candidates, sites.w, more, arena_->seed);
}

// Sites where the model so far puts them; false if the caller does not want to wait for that.
bool Contender::start(ProfiledBound& bound) {
  if (!fitted_.frame.ok) {
    bound.start(prior_);
    return true;
  }
  return arena_->monitor.stoppable(arena_->workers, [&] {
    Vector mean, S2;
    Pass(X_, fitted_.frame.m(), arena_->workers).marginals(fitted_.frame, fitted_.q, mean, S2);
    bound.start(prior_, mean, S2);
  });
}

bool Contender::fit(const Stage& stage) {
  const TrainingSetup& setup = arena_->setup;
  const Layout& layout = setup.layout;
  Monitor& monitor = arena_->monitor;
  Keeper& keeper = arena_->keeper;
  const bool resuming = keeper.resuming();
  load_rows(stage.rows);
  if (!resuming) place_inputs(stage.m);
  const Index m = prior_.Z.rows();
  if (m == 0) throw data_error("a stage to go on with has no inducing inputs");
  if (resuming)
    monitor.resume_stage(map_of_features());
  else
    monitor.begin_stage(static_cast<std::size_t>(stage.rows), static_cast<std::size_t>(m), map_of_features());

  ProfiledBound bound(view_of(X_), targets_, m, setup.shape, layout, arena_->workers, setup.memory);
  const bool started = resuming || start(bound);
  const ProfiledPoint& best = bound.best();

  const double work_per_pass = work_of_pass(stage.rows, m, X_.cols());
  double begun = monitor.seconds();
  const auto pace_so_far = [&] {
    return (monitor.seconds() - begun) / (work_per_pass * static_cast<double>(std::max(bound.passes(), 1L)));
  };
  Settled settled(stage.tolerance * static_cast<double>(stage.rows), stage.last ? patience : 0);
  const Keeper::Part part(&keeper, "stage", [&](Archive& a) {
    a.part("bound", bound);
    if (layout.size(bound.best().prior) != layout.size(prior_)) a.reject("bound.prior", "has a wrong size");
    a.part("settled", settled);
    a("begun", begun);
  });
  LbfgsbSettings settings;
  settings.memory = 20;
  settings.first_step = fitted_.frame.ok ? later_first_step : 1;
  settings.max_iterations = monitor.max_iter();
  settings.max_evaluations = 20 * settings.max_iterations;
  settings.relative_reduction = 1e-10;  // Settled decides
  settings.projected_gradient = 1e-5;
  settings.keeper = &keeper;
  settings.must_stop = [&] { return monitor.must_stop() || must_leave_time(stage, pace_so_far()); };
  settings.on_iteration = [&](const Vector&, double value) {
    if (monitor.cut()) return false;
    monitor.after_iteration(
        best.value, arena_->passes + bound.passes(),
        [&] {
          return Fitted{best.frame, best.collapsed.q};
        },
        [&] { return best.elbo; });
    if (settled.after(value, arena_->work + work_per_pass * static_cast<double>(bound.passes())))
      return false;
    monitor.keep(keeper);
    return !monitor.must_stop();
  };
  const auto objective = [&](const Vector& x, Vector& gradient) {
    double value = -INFINITY;
    if (started) monitor.stoppable(arena_->workers, [&] { value = bound(x, gradient); });
    return value;
  };
  const Optimum optimum =
      maximize_lbfgsb(objective, layout.pack(prior_), layout.lower(prior_), layout.upper(prior_), settings);
  arena_->passes += bound.passes();
  arena_->work += work_per_pass * static_cast<double>(bound.passes());
  arena_->kept_bytes = std::max(arena_->kept_bytes, bound.kept_bytes());
  if (!best.ok) {
    load_rows(rows_);
    if (fitted_.frame.ok) prior_.Z = fitted_.frame.Z;
    return false;
  }

  rows_ = stage.rows;
  prior_ = best.prior;
  fitted_ = {best.frame, best.collapsed.q};
  sites_ = best.sites;
  m_ = best.m;
  S2_ = best.S2;
  elbo_ = best.elbo;
  value_ = best.value;
  sparsity_price_ = best.collapsed.sparsity_price;
  converged_ = settled.yes() || optimum.converged || optimum.stuck;
  seconds_ = monitor.seconds();
  pace_ = pace_so_far();
  return true;
}

void Contender::archive(Archive& a) {
  const Index d = arena_->data.rows.d();
  a("rows", rows_);
  if (rows_ < 0 || rows_ > arena_->data.targets.n()) a.reject("rows", "are more than the data has");
  archive_prior(a.inside("prior"), prior_, d);
  if (prior_.Z.rows() > arena_->most_inducing)
    a.reject("prior.Z", "has more inducing inputs than were asked for");
  archive_fitted(a.inside("fitted"), fitted_, arena_->setup.shape, d);
  archive_sites(a.inside("sites"), sites_, rows_);
  a.sized("m", m_, rows_);
  a.sized("S2", S2_, rows_);
  a("elbo", elbo_);
  a("value", value_);
  a("sparsity_price", sparsity_price_);
  a("seconds", seconds_);
  a("pace", pace_);
  a("converged", converged_);
  if (a.loading()) load_rows(rows_);
}

double Contender::estimate(const Stage& stage) const {
  return few_passes * pace_ * work_of_pass(stage.rows, stage.m, X_.cols());
}

// A stage of some rows ends early if what is left of the time is needed for all rows, unless that is
// hopeless.
bool Contender::must_leave_time(const Stage& stage, double pace) const {
  const Index n = arena_->data.targets.n();
  if (stage.rows == n) return false;
  const double needed = few_passes * pace * work_of_pass(n, stage.m, X_.cols());
  const double left = arena_->monitor.seconds_left();
  return left < needed && needed < hopeless * (left + arena_->monitor.seconds());
}

Step Contender::step() const {
  return {.rows = static_cast<std::size_t>(rows_),
          .m = static_cast<std::size_t>(fitted_.frame.m()),
          .warp = map_of_features().name(),
          .bound = value_,
          .seconds = seconds_};
}

void Contender::leave_one_out(Vector& probability, Targets& targets) {
  Pass pass(X_, fitted_.frame.m(), arena_->workers);
  const LeaveOneOut without = induce::leave_one_out(pass, fitted_.frame, sites_, targets_.weight, m_, S2_);
  probability = predictive_probabilities(without.m, without.S2, arena_->workers);
  targets = targets_;
}

}  // namespace induce
