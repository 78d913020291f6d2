// Alg. 1 of the paper: sites and q in closed form (stage 1), theta by a few evaluations of L-BFGS-B (stage 2).
//
//   repeat
//     stage 1, n_upd times:  marginals of q -> sites -> q                        (erratum E4: q inside the loop)
//     stage 2:               theta := maximise F(theta; sites), at most n_fun evaluations
//   until the bound stops moving
//
// Its variants differ only in the variables of stage 2 (methods.hpp): vi-JJ-hybrid optimises theta and xi
// jointly; vi-JJ-full does so from the start and has no stage 1. With xi a variable, the envelope theorem gives
//   dF/dxi_i = dF/dw_i w'(xi) + c'(xi) = (xi_i^2 - m_i^2 - S2_i) lambda'(xi_i),
// since dF/dw_i = -E f_i^2/2 at the optimal q.
//
// Stage 1 starts from the optimal q for the current theta and sites, which stage 2 has just computed. So neither
// stage can lower a true lower bound (vi-JJ), and no pass is repeated. Stage 1 also comes last, until q is at its fixed point.
// Thresholds of the likelihood are fitted before stage 1.
#include <cmath>

#include "core/gradient.hpp"
#include "core/tight_trace.hpp"
#include "optim/lbfgsb.hpp"
#include "rows/reducer.hpp"
#include "site/jaakkola_jordan.hpp"
#include "train/fit_thresholds.hpp"
#include "train/plan.hpp"
#include "train/sites_left_out.hpp"
#include "train/stored.hpp"

namespace induce::detail {
namespace {

constexpr int n_upd = 3, n_fun = 5;  // the paper's choice on every data set
// Converged when an outer iteration changes the bound by less than this, relative, twice in a row.
constexpr double tolerance = 1e-5, tight_tolerance = 1e-6;  // the tight bound converges more slowly
constexpr double settled = 1e-6;  // at the fixed point a round changes no probability of any row by more
constexpr int most_settling_rounds = 200;
// A gain is refused if q, judged by sites of its own, lacks so many times the nats of the best point. Where fits went well
// the ratio stayed below 1.04 (seven data sets), where one ran away it was 13 (docs/decisions.md).
constexpr double out_of_touch_ratio = 2;
constexpr const char* not_finite = "the bound or its gradient is not finite";

// A point with everything that was computed there.
struct Point {
  Prior prior;
  SiteSet sites;
  Vector xi;  // n; only if xi is a variable
  Frame frame;
  Collapsed collapsed;
  SiteSet residual;  // only if the method has a tight trace
  double bound = 0;  // collapsed.F plus, if the trace is tight, its gain

  // What a visit of the rows finds at the marginals of collapsed.q.
  bool visited = false;
  SiteSet next;  // the sites there
  ExpectedSites expected;
  Marginals marginals;  // only if xi is a variable
  Fitted fitted() const { return {frame, {collapsed.q}}; }
};

// At most how much a probability can differ between two posteriors. |v_i|^2 <= k_ii, so a mean differs by at most
// |a - a'| k_ii^1/2 and a variance by |D - D'| k_ii. dp/dm = E sigma' <= 1/4, dp/dS2 = E sigma''/2 < 1/20.
double difference(const Frame& frame, const Posterior& one, const Posterior& other) {
  const double k_ii = frame.placed->diagonal();
  return (one.a - other.a).norm() * std::sqrt(k_ii) / 4 + (one.D - other.D).norm() * k_ii / 20;
}

class Vi {
 public:
  // X: all rows, or those of a sample.
  Vi(const FitContext& context, const RowMatrix& X, const Prior& start)
      : plan_(context.plan),
        X_(X),
        start_(start),
        workers_(context.workers),
        monitor_(context.monitor),
        saver_(context.saver),
        rows_(place_rows(context, X, start.Z.rows())) {}

  Outcome run() {
    Outcome outcome;
    bool begun = saver_.resuming();
    if (!begun && !monitor_.stoppable(workers_, [&] { begun = begin(); })) return outcome;
    if (!begun) {
      outcome.failure =
          point_.frame.ok ? not_finite : "the kernel matrix of the inducing inputs could not be factorised";
      return outcome;
    }
    outcome.converged = plan_.method.analytic & Variables::xi ? alternate() : all_at_once();
    if (!monitor_.interrupted()) outcome.failure = failure_;
    if (!monitor_.interrupted()) settle();
    Report& report = outcome.report;
    report.elbo = elbo(point_);
    if (!monitor_.interrupted())
      monitor_.stoppable(workers_, [&] {
        report_sites_left_out({plan_, X_, *rows_, workers_}, point_.frame, point_.collapsed.q, point_.sites,
                              report);
      });
    report.bound = point_.bound;
    report.sparsity_price = point_.collapsed.sparsity_price;
    report.passes = passes();
    report.kept_bytes = rows_->kept_bytes();
    outcome.fitted = point_.fitted();
    return outcome;
  }

 private:
  static std::unique_ptr<SiteRows> place_rows(const FitContext& context, const RowMatrix& X, Index m) {
    const TrainingPlan& plan = context.plan;
    const StageNeeds needs{m, plan.likelihood, std::string(plan.method.rule), plan.setting, plan.memory};
    return plan.all ? context.owner.site_rows(plan.maps[0], needs)
                    : context.owner.site_rows(X, plan.targets, needs);
  }

  bool xi_is_variable() const { return plan_.method.numeric & Variables::xi; }
  long passes() const { return earlier_passes_ + rows_->passes(); }

  void archive_passes(Archive& a) {
    long passes = this->passes();
    a("passes", passes);
    earlier_passes_ = passes - rows_->passes();
  }

  // The point after stage 2. Stage 1 makes new sites from q; only those of the tight bound depend on the old ones.
  void archive_point(Archive a, Point& point) {
    Fitted fitted = point.fitted();
    archive_fitted(a.inside("fitted"), fitted, plan_.kernels[0].layout.kernel, rows_->d(), start_);
    a("F", point.collapsed.F);
    a("sparsity_price", point.collapsed.sparsity_price);
    a("bound", point.bound);
    if (plan_.method.tight_trace) archive_sites(a.inside("sites"), *rows_, point.sites);
    if (!a.loading()) return;
    if (!fitted.frame.ok || fitted.frame.m() != rows_->m()) a.reject("fitted", "has the wrong shape");
    point.prior = fitted.frame.prior;
    point.collapsed.q = std::move(fitted.q[0]);
    point.collapsed.ok = true;
    point.frame = std::move(fitted.frame);
    point.visited = false;
    if (plan_.method.tight_trace)
      point.residual = tight_trace(point, false).residual;
    else
      point.sites = rows_->sites_at(point.frame, point.collapsed.q);
  }

  // From mu = 0, Sigma = I as in Alg. 1: the first sites and their q.
  bool begin() {
    point_.prior = start_;
    point_.frame = make_frame(plan_.kernels[0].layout.kernel, point_.prior);
    if (!point_.frame.ok) return false;
    const Index m = point_.frame.m();
    point_.collapsed.q = posterior_from(point_.frame, Vector::Zero(m), Matrix::Identity(m, m));
    point_.sites = rows_->sites_at(point_.frame, point_.collapsed.q);
    if (!xi_is_variable()) return collapse_rows(point_) && stage1(n_upd - 1);
    visit(point_);
    take_xi();
    return collapse_rows(point_) && (!(plan_.method.analytic & Variables::xi) || stage1(n_upd - 1));
  }

  SiteRows::TightTrace tight_trace(const Point& point, bool with_adjoint) {
    return rows_->tight_trace(point.frame, certain_posterior(point.frame), point.sites, with_adjoint);
  }

  // q at the point's sites, and the bound there. `trace_gradient`: receives the gradient of the trace's gain.
  bool collapse_rows(Point& point, Gradient* trace_gradient = nullptr) {
    collapse(point.frame, rows_->first_half(point.frame, point.sites), point.collapsed, 0, &workers_);
    point.visited = false;
    point.bound = point.collapsed.F;
    if (plan_.method.tight_trace && point.collapsed.ok) {
      const SiteRows::TightTrace trace = tight_trace(point, trace_gradient != nullptr);
      if (trace_gradient) *trace_gradient = tight_gain_gradient(point.frame, *trace.adjoint);
      point.residual = trace.residual;
      point.bound += trace.gain;
    }
    return point.collapsed.ok;
  }

  // `gradient`: receives that of F at the point's sites.
  void visit(Point& point, Gradient* gradient = nullptr) {
    if (point.visited && !gradient) return;
    SiteRows::Answer answer =
        rows_->second_half(point.frame, point.collapsed.q, point.sites,
                           {.adjoint = gradient != nullptr,
                            .residual = point.residual.number ? &point.residual : nullptr,
                            .marginals = xi_is_variable() ? &point.marginals : nullptr});
    if (gradient) *gradient = fixed_site_gradient(point.frame, {&point.collapsed, 1}, *answer.adjoint);
    point.next = std::move(answer.next);
    point.expected = answer.expected;
    point.visited = true;
  }

  void take_xi() { point_.xi = (point_.marginals.m.cwiseAbs2() + point_.marginals.S2).cwiseSqrt(); }

  bool stage1(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      visit(point_);
      point_.sites = point_.next;
      if (xi_is_variable()) take_xi();
      if (!collapse_rows(point_)) return false;
    }
    return true;
  }

  // Between two stages 2. The next round makes sites for the new thresholds.
  void fit_thresholds() {
    if (point_.prior.thresholds.size() == 0) return;
    point_.prior = with_best_thresholds(*rows_, point_.frame, point_.collapsed.q, n_fun);
    point_.frame = make_frame(plan_.kernels[0].layout.kernel, point_.prior);
    point_.visited = false;
  }

  // A round that moves q further than the one before it is taken back: Taylor sites need not converge.
  void settle() {
    double before = INFINITY;
    for (int round = 0; round < most_settling_rounds && before > settled; ++round) {
      if (round > 0 && ends_early()) return;
      Point last = point_;
      bool refreshed = false;
      monitor_.stoppable(workers_, [&] { refreshed = stage1(1); });
      const double moved = difference(point_.frame, last.collapsed.q, point_.collapsed.q);
      if (!refreshed || !(moved <= before)) {
        point_ = std::move(last);
        return;
      }
      before = moved;
    }
  }

  // The sites of a trial for its xi.
  void place_sites(Point& point) {
    const Targets& targets = plan_.targets;
    Vector w(rows_->n()), t(rows_->n());
    const double c = sum_over_rows(rows_->n(), workers_, [&](Index first, Index count) {
      double sum = 0;
      for (Index i = first; i < first + count; ++i) {
        double c_i = 0;
        jj_site(targets.y[i], point.xi[i], w[i], t[i], c_i);
        w[i] *= targets.weight[i];
        t[i] *= targets.weight[i];
        sum += targets.weight[i] * c_i;
      }
      return sum;
    });
    point.sites = rows_->make_sites(w, t, c);
  }

  double objective(const Vector& x, Vector& gradient_out) {
    double value = -INFINITY;
    monitor_.stoppable(workers_, [&] { value = evaluate_with_gradient(x, gradient_out); });
    return value;
  }

  // Taylor sites are no bound: far from where they were made, F may claim a gain where q contradicts most labels. The same q
  // with sites made at its own marginals tells, and nothing more has to be computed for that.
  bool out_of_touch(const Point& point) const {
    const double F_of_own_sites = point.collapsed.F - point.expected.old + point.expected.next;
    return plan_.method.rule == "taylor" && F_of_own_sites < out_of_touch_ratio * best_.bound;
  }

  // F and its gradient at x = (theta) or (theta, xi); keeps the best point in best_.
  double evaluate_with_gradient(const Vector& x, Vector& gradient_out) {
    const Layout& layout = plan_.kernels[0].layout;
    const Index p = layout.size(point_.prior);
    trial_.prior = layout.unpack(point_.prior, x.head(p));
    trial_.frame = make_frame(layout.kernel, trial_.prior);
    if (!trial_.frame.ok) return -INFINITY;
    if (xi_is_variable()) {
      trial_.xi = x.tail(rows_->n());
      place_sites(trial_);
    }
    Gradient dF, trace_gradient;
    if (!collapse_rows(trial_, plan_.method.tight_trace ? &trace_gradient : nullptr)) return -INFINITY;
    visit(trial_, &dF);
    if (plan_.method.tight_trace) dF += trace_gradient;
    layout.pack_gradient(dF, gradient_out);
    for (Index i = 0; i < x.size() - p; ++i) {
      const double xi_i = trial_.xi[i], m_i = trial_.marginals.m[i];
      gradient_out[p + i] = plan_.targets.weight[i] * (xi_i * xi_i - m_i * m_i - trial_.marginals.S2[i]) *
                            jj_lambda_slope(xi_i);
    }
    if (trial_.bound <= best_.bound) return trial_.bound;
    if (best_.visited && out_of_touch(trial_)) return -INFINITY;
    best_ = trial_;
    return trial_.bound;
  }

  Optimum stage2(const LbfgsbSettings& settings) {
    best_ = Point();
    best_.bound = -INFINITY;
    const Index p = plan_.kernels[0].layout.size(point_.prior), extra = xi_is_variable() ? rows_->n() : 0;
    Vector start(p + extra), lower(p + extra), upper(p + extra);
    start.head(p) = plan_.kernels[0].layout.pack(point_.prior);
    lower.head(p) = plan_.kernels[0].layout.lower(point_.prior);
    upper.head(p) = plan_.kernels[0].layout.upper(point_.prior);
    start.tail(extra) = point_.xi.head(extra);
    lower.tail(extra).setConstant(-INFINITY);
    upper.tail(extra).setConstant(INFINITY);

    trial_ = point_;
    const Optimum optimum = maximize_lbfgsb([this](const Vector& x, Vector& g) { return objective(x, g); },
                                            start, lower, upper, settings);
    if (best_.visited)
      point_ = std::move(best_);
    else  // no evaluation succeeded: keep point_
      failure_ = not_finite;
    return optimum;
  }

  // NaN if the rows are with a carrier that was stopped: it does not answer any more.
  double elbo(Point& point) {
    try {
      visit(point);
      return point.collapsed.F + rows_->expected_log(point.frame, point.collapsed.q) - point.expected.old;
    } catch (const Stopped&) {
      return NAN;
    }
  }

  void record(Point& point) {
    monitor_.after_iteration(
        point.bound, passes(), [&] { return point.fitted(); }, [&] { return elbo(point); });
  }

  // The time limit may interrupt stage 2, but a fit cannot resume from there: with checkpoints, its few
  // evaluations are allowed to finish.
  bool ends_early() const { return saver_.saves() ? monitor_.cut() : monitor_.out_of_time(); }

  bool alternate() {
    const double small = plan_.method.tight_trace ? tight_tolerance : tolerance;
    int quiet = 0;
    double before = -INFINITY;
    bool resumed = saver_.resuming();  // then stage 2 of this round is already done
    const StateSaver::Section part(&saver_, "round", [&](Archive& a) {
      archive_point(a.inside("point"), point_);
      archive_passes(a);
      a("quiet", quiet);
    });
    for (;; resumed = false) {
      if (!resumed) {
        LbfgsbSettings settings;
        settings.max_evaluations = n_fun;
        settings.must_stop = [this] { return ends_early(); };
        stage2(settings);
        if (!failure_.empty() || monitor_.cut()) return false;
        record(point_);
        if (ends_early()) return false;
        const bool moved = !(std::abs(point_.bound - before) <= small * (1 + std::abs(point_.bound)));
        quiet = moved ? 0 : quiet + 1;  // the first one always moves, from -infinity
        if (quiet == 2) return true;
        monitor_.end_of_iteration(saver_);
      }
      if (monitor_.must_stop()) return false;
      const Point good = point_;
      bool refreshed = false;
      monitor_.stoppable(workers_, [&] {
        fit_thresholds();
        refreshed = stage1(n_upd);
      });
      if (!refreshed) {
        point_ = good;
        failure_ = not_finite;
        return false;
      }
      before = point_.bound;
    }
  }

  bool all_at_once() {
    LbfgsbSettings settings;
    settings.max_evaluations = 20 * monitor_.max_iter();
    settings.max_iterations = monitor_.max_iter();
    settings.relative_reduction = 1e-7;
    settings.must_stop = [this] { return monitor_.must_stop(); };
    settings.on_iteration = [this](const Vector&, double) {
      if (monitor_.cut()) return false;
      record(best_);
      return !monitor_.must_stop();
    };
    const Optimum optimum = stage2(settings);
    return optimum.converged || optimum.stuck;
  }

  const TrainingPlan& plan_;
  const RowMatrix& X_;
  const Prior& start_;
  Workers& workers_;
  Monitor& monitor_;
  StateSaver& saver_;
  std::unique_ptr<SiteRows> rows_;
  Point point_;              // the current point
  Point trial_, best_;       // during stage 2
  long earlier_passes_ = 0;  // before the checkpoint that the fit resumes from
  std::string failure_;      // why training could not continue
};

}  // namespace

Outcome train_vi(const FitContext& context) {
  return train_from_kmeans(
      context, [&](const RowMatrix& X, const Prior& start) { return Vi(context, X, start).run(); });
}

}  // namespace induce::detail
