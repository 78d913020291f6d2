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
// stage can lower a true lower bound (vi-JJ), and no pass is repeated.
#include <cmath>

#include "core/gradient.hpp"
#include "core/leave_one_out.hpp"
#include "core/tight_trace.hpp"
#include "optim/lbfgsb.hpp"
#include "site/jaakkola_jordan.hpp"
#include "train/plan.hpp"
#include "train/row_sums.hpp"
#include "train/stored.hpp"

namespace induce {
namespace {

constexpr int n_upd = 3, n_fun = 5;  // the paper's choice on every data set

// Converged when an outer iteration changes the bound by less than this, relative, twice in a row.
// The tight bound converges more slowly.
constexpr double tolerance = 1e-5, tight_tolerance = 1e-6;

constexpr const char* not_finite = "the bound or its gradient is not finite";

// A point with everything that was computed there.
struct Point {
  Prior prior;
  Sites sites;
  Vector xi;  // n; only if xi is a variable
  Frame frame;
  Collapsed collapsed;
  TightTrace trace;        // only if the method uses it
  double bound = 0;        // collapsed.F plus, if used, the gain of the tight trace
  Vector m, S2;            // marginals of collapsed.q
  bool marginals = false;  // are m and S2 up to date?
};

class Vi {
 public:
  Vi(const FitContext& context, const RowMatrix& X, const Prior& start)
      : plan_(context.plan),
        start_(start),
        monitor_(context.monitor),
        keeper_(context.keeper),
        rule_(make_site_rule(plan_.method.rule, plan_.likelihood)),
        pass_(X, start.Z.rows(), context.workers, plan_.memory) {}

  Outcome run() {
    Outcome outcome;
    bool begun = keeper_.resuming();
    if (!begun && !monitor_.stoppable(pass_.workers(), [&] { begun = begin(); })) return outcome;
    if (!begun) {
      outcome.failure =
          point_.frame.ok ? not_finite : "the kernel matrix of the inducing inputs could not be factorised";
      return outcome;
    }
    outcome.converged = plan_.method.analytic & xi ? alternate() : all_at_once();
    if (!monitor_.interrupted()) outcome.failure = failure_;
    update_marginals();
    Report& report = outcome.report;
    report.elbo = elbo();
    if (!monitor_.interrupted()) leave_one_out_of(report);
    report.bound = point_.bound;
    report.sparsity_price = point_.collapsed.sparsity_price;
    report.passes = passes();
    report.kept_bytes = pass_.kept_bytes();
    outcome.fitted = {point_.frame, {point_.collapsed.q}};
    return outcome;
  }

 private:
  bool xi_is_variable() const { return plan_.method.numeric & xi; }
  long passes() const { return earlier_passes_ + pass_.count(); }

  void archive_passes(Archive& a) {
    long passes = this->passes();
    a("passes", passes);
    earlier_passes_ = passes - pass_.count();
  }

  void archive_point(Archive a, Point& point) {
    const Index n = pass_.n(), d = pass_.d();
    Fitted fitted{point.frame, {point.collapsed.q}};
    archive_fitted(a.inside("fitted"), fitted, plan_.kernels[0].layout.kernel, d);
    archive_sites(a.inside("sites"), point.sites, n);
    a.sized("xi", point.xi, xi_is_variable() ? n : 0);
    a("F", point.collapsed.F);
    a("sparsity_price", point.collapsed.sparsity_price);
    a("bound", point.bound);
    a.sized("m", point.m, n);
    a.sized("S2", point.S2, n);
    a("marginals", point.marginals);
    if (!a.loading()) return;
    if (!fitted.frame.ok || fitted.frame.m() != pass_.m()) a.reject("fitted", "has the wrong shape");
    point.prior = fitted.frame.prior;
    point.collapsed.q = std::move(fitted.q[0]);
    point.collapsed.ok = true;
    point.frame = std::move(fitted.frame);
    if (plan_.method.tight_trace)
      point.trace = tight_trace(pass_, point.frame, point.sites, plan_.targets.weight);
  }

  // From mu = 0, Sigma = I as in Alg. 1: the first sites and their q.
  bool begin() {
    point_.prior = start_;
    point_.sites = Sites(pass_.n());
    point_.frame = make_frame(plan_.kernels[0].layout.kernel, point_.prior);
    if (!point_.frame.ok) return false;
    const Index m = point_.frame.m();
    point_.collapsed.q = posterior_from(point_.frame, Vector::Zero(m), Matrix::Identity(m, m));
    return stage1(plan_.method.analytic & xi ? n_upd : 1);
  }

  bool evaluate(Point& point) {
    point.marginals = false;
    point.frame = make_frame(plan_.kernels[0].layout.kernel, point.prior);
    if (!point.frame.ok) return false;
    return collapse_rows(point);
  }

  // q at the point's sites, and the bound there.
  bool collapse_rows(Point& point) {
    collapse(point.frame, pass_.first_half(point.frame, point.sites), point.collapsed);
    point.marginals = false;
    point.bound = point.collapsed.F;
    if (plan_.method.tight_trace && point.collapsed.ok) {
      point.trace = tight_trace(pass_, point.frame, point.sites, plan_.targets.weight);
      point.bound += point.trace.gain;
    }
    return point.collapsed.ok;
  }

  void update_marginals() {
    if (!point_.marginals) pass_.marginals(point_.frame, point_.collapsed.q, point_.m, point_.S2);
    point_.marginals = true;
  }

  bool stage1(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      update_marginals();
      const bool tight = plan_.method.tight_trace && point_.trace.residual.size() > 0;
      const Vector S2 =
          tight ? tight_variances(point_.trace, point_.sites, plan_.targets.weight, point_.S2) : point_.S2;
      refresh_sites(*rule_, plan_.targets, point_.m, S2, pass_.workers(), point_.sites);
      if (xi_is_variable()) point_.xi = (point_.m.cwiseAbs2() + point_.S2).cwiseSqrt();
      if (!collapse_rows(point_)) return false;
    }
    return true;
  }

  double objective(const Vector& x, Vector& gradient_out) {
    double value = -INFINITY;
    monitor_.stoppable(pass_.workers(), [&] { value = evaluate_with_gradient(x, gradient_out); });
    return value;
  }

  // F and its gradient at x = (theta) or (theta, xi); keeps the best point in best_.
  double evaluate_with_gradient(const Vector& x, Vector& gradient_out) {
    const Index p = plan_.kernels[0].layout.size(point_.prior), n = pass_.n();
    trial_.prior = plan_.kernels[0].layout.unpack(point_.prior, x.head(p));
    if (xi_is_variable()) {
      trial_.xi = x.tail(n);
      for (Index i = 0; i < n; ++i)
        jj_site(plan_.targets.y[i], trial_.xi[i], trial_.sites.w[i], trial_.sites.t[i], trial_.sites.c[i]);
      for (Vector* part : {&trial_.sites.w, &trial_.sites.t, &trial_.sites.c})
        part->array() *= plan_.targets.weight.array();
    }
    if (!evaluate(trial_)) return -INFINITY;
    const Gradient dF =
        fixed_site_gradient(pass_, trial_.frame, {&trial_.collapsed, 1}, trial_.sites, trial_.m, trial_.S2);
    trial_.marginals = true;
    plan_.kernels[0].layout.pack_gradient(dF, gradient_out);
    if (plan_.method.tight_trace) {
      Vector of_trace(p);
      plan_.kernels[0].layout.pack_gradient(
          tight_trace_gradient(pass_, trial_.frame, trial_.sites, plan_.targets.weight), of_trace);
      gradient_out.head(p) += of_trace;
    }
    for (Index i = 0; i < x.size() - p; ++i) {
      const double xi_i = trial_.xi[i];
      gradient_out[p + i] = plan_.targets.weight[i] *
                            (xi_i * xi_i - trial_.m[i] * trial_.m[i] - trial_.S2[i]) * jj_lambda_slope(xi_i);
    }
    if (!(trial_.bound <= best_.bound)) best_ = trial_;
    return trial_.bound;
  }

  // `kept`: this stage can be resumed, from best_.
  Optimum stage2(const LbfgsbSettings& settings, bool kept = false) {
    best_ = Point();
    best_.bound = -INFINITY;
    const Keeper::Part part(kept ? &keeper_ : nullptr, "best", [this](Archive& a) {
      Prior start = point_.prior;
      archive_prior(a.inside("start"), start, *plan_.kernels[0].layout.kernel, pass_.d());
      archive_point(a.inside("point"), best_);
      archive_passes(a);
      if (!a.loading()) return;
      if (start.Z.rows() != pass_.m()) a.reject("start", "has the wrong shape");
      point_ = best_;
      point_.prior = start;
    });
    const Index p = plan_.kernels[0].layout.size(point_.prior), extra = xi_is_variable() ? pass_.n() : 0;
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
    if (best_.marginals)
      point_ = std::move(best_);
    else  // no evaluation succeeded: keep point_
      failure_ = not_finite;
    return optimum;
  }

  void leave_one_out_of(Report& report) {
    const LeaveOneOut without =
        leave_one_out(pass_, point_.frame, point_.sites, plan_.targets.weight, point_.m, point_.S2);
    report_leave_one_out(predictive_probabilities(plan_.likelihood, without.m, without.S2, pass_.workers()),
                         plan_.targets, 1, report);
  }

  double elbo() {
    update_marginals();
    return point_.collapsed.F +
           expected_log_likelihood(plan_.likelihood, plan_.targets, point_.m, point_.S2, pass_.workers()) -
           expected_sites(point_.sites, point_.m, point_.S2, pass_.workers());
  }

  void record(const Point& point, const std::function<double()>& true_bound) {
    monitor_.after_iteration(
        point.bound, passes(),
        [&] {
          return Fitted{point.frame, {point.collapsed.q}};
        },
        true_bound);
  }

  // The time limit may interrupt stage 2, but a fit cannot resume from there: with checkpoints, its few
  // evaluations are allowed to finish.
  bool ends_early() const { return keeper_.keeps() ? monitor_.cut() : monitor_.out_of_time(); }

  bool alternate() {
    const double small = plan_.method.tight_trace ? tight_tolerance : tolerance;
    int quiet = 0;
    double before = -INFINITY;
    bool resumed = keeper_.resuming();  // then stage 2 of this round is already done
    const Keeper::Part part(&keeper_, "round", [&](Archive& a) {
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
        record(point_, [this] { return elbo(); });
        if (ends_early()) return false;
        const bool moved = !(std::abs(point_.bound - before) <= small * (1 + std::abs(point_.bound)));
        quiet = moved ? 0 : quiet + 1;  // the first one always moves, from -infinity
        if (quiet == 2) return true;
        monitor_.keep(keeper_);
      }
      if (monitor_.must_stop()) return false;
      const Point good = point_;
      bool refreshed = false;
      monitor_.stoppable(pass_.workers(), [&] { refreshed = stage1(n_upd); });
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
    settings.keeper = &keeper_;
    settings.must_stop = [this] { return monitor_.must_stop(); };
    settings.on_iteration = [this](const Vector&, double) {
      if (monitor_.cut()) return false;
      record(best_, [this] {
        std::swap(point_, best_);
        const double value = elbo();
        std::swap(point_, best_);
        return value;
      });
      monitor_.keep(keeper_);
      return !monitor_.must_stop();
    };
    const Optimum optimum = stage2(settings, true);
    return optimum.converged || optimum.stuck;
  }

  const TrainingPlan& plan_;
  const Prior& start_;
  Monitor& monitor_;
  Keeper& keeper_;
  std::unique_ptr<const SiteRule> rule_;
  Pass pass_;
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

}  // namespace induce
