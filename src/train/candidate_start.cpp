// Where a stage of a candidate starts: kernel, terms, parameters and inducing inputs.
#include "train/candidate_fit.hpp"

#include <algorithm>
#include <utility>

#include "core/pass.hpp"
#include "train/drop_terms.hpp"
#include "train/grow_inputs.hpp"
#include "train/kmeans.hpp"
#include "train/plan_kernels.hpp"
#include "train/policy.hpp"
#include "train/row_sums.hpp"

namespace induce::detail {

void CandidateFit::begin_at(const Fitted& start) {
  layout_.kernel = start.frame.kernel;
  prior_ = start.frame.prior;
  start_fitted_ = start;
  warm_ = true;
  const Terms* terms = kernel().terms();
  for (Index p = 0; terms && p < terms->count(); ++p) {
    const Term& term = (*terms)[p];
    std::vector<Index>& knots = term.columns.size() > 1 ? terms_.pair_knots : terms_.knots;
    for (std::size_t k = 0; k < term.columns.size(); ++k)
      knots[static_cast<std::size_t>(term.columns[k])] = static_cast<Index>(term.axes[k].knots.size());
  }
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
  prior_.thresholds = known.thresholds;
  prior_.Z = known.Z;
  point_.prior = prior_;
  warm_ = true;
  work_ = other.work_;
  start_fitted_ = other.point_.fitted();
}

// What values of terms must gain in a pass over so many rows, where the bound is about this.
TermWorth CandidateFit::term_worth(const StagePlan& stage, double bound) const {
  const Index rows = fit_->plan().distinct(stage.rows);
  return {rows, stage.m, feature_map().features(), prior_.functions(),
          policy::worth_of_size * stage.tolerance * tolerance_unit(bound, rows)};
}

void CandidateFit::drop_terms(const StagePlan& stage) {
  detail::drop_terms(terms_, point_.fitted(), term_worth(stage, point_.value));
  use_kernel(terms_.varied(setting_).name());
}

void CandidateFit::find_terms(const StagePlan& stage) {
  const Likelihood& likelihood = fit_->plan().likelihood;
  double bound = -usual_loss * static_cast<double>(fit_->plan().distinct(stage.rows));
  const auto grow = [&](const auto& by, const Slopes& slopes) {
    by(terms_, feature_map(), X_, targets_.weight, slopes, term_worth(stage, bound), workers());
    place_axes(terms_, feature_map(), X_, targets_.weight, setting_);
  };
  Fitted known;
  if (point_.ok) {
    const ProfiledPoint now = with_rows(stage);
    bound = now.value;
    known = now.fitted();
  } else {
    grow(grow_mains, slopes_at_base_rate(targets_, likelihood));
    if (!terms_.varied(setting_).mains.empty()) {
      const ProfiledPoint mains = mains_alone();
      if (mains.ok) {
        bound = mains.value;
        start_fitted_ = known = mains.fitted();
      }
    }
  }
  grow(grow_mains_and_pairs, known.frame.ok ? slopes_at(known, X_, targets_, likelihood, workers())
                                            : slopes_at_base_rate(targets_, likelihood));
  use_kernel(terms_.varied(setting_).name());
  if (point_.ok || !known.frame.ok) return;
  carry_over(*known.frame.kernel, known.frame.prior.theta, kernel(), prior_.theta);
  prior_.mean = known.frame.prior.mean;
  prior_.classes = known.frame.prior.classes;
  prior_.thresholds = known.frame.prior.thresholds;
}

// The model at the parameters of the last stage, with the rows of this one. Without them in q, new rows would seem to call for
// terms wherever the model was too sure.
ProfiledPoint CandidateFit::with_rows(const StagePlan& stage) {
  ProfiledBound bound(site_rows(stage.rows, prior_.Z.rows()), fit_->plan().likelihood, layout_, workers());
  Vector gradient(layout_.pack(prior_).size());
  if (start(bound)) bound(layout_.pack(prior_), gradient);
  fit_->passes += bound.passes();
  return bound.best().ok ? bound.best() : point_;
}

// Main effects alone, at the parameters that they start from.
ProfiledPoint CandidateFit::mains_alone() {
  TermList alone = terms_;
  alone.joint.clear();
  alone.pairs.clear();
  const Layout layout{.kernel = make_kernel(alone.varied(setting_).name(), setting_),
                      .mean = layout_.mean,
                      .inputs = false,
                      .thresholds = layout_.thresholds};
  Prior prior = prior_;
  prior.theta = layout.kernel->start();
  prior.Z.resize(0, X_.cols());
  const StageNeeds needs{0, fit_->plan().likelihood, "newton", setting_, 0};
  ProfiledBound bound(fit_->context.owner.site_rows(X_, targets_, needs), fit_->plan().likelihood, layout,
                      workers());
  const Vector x = layout.pack(prior);
  Vector gradient(x.size());
  fit_->context.monitor.stoppable(workers(), [&] {
    bound.start(prior);
    bound(x, gradient);
  });
  fit_->passes += bound.passes();
  return bound.best();
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
  const Index count =
      std::min(X_.rows(), std::max(policy::fewest_rows_to_draw, policy::rows_per_input * more));
  const RowMatrix sample = X_.topRows(count);  // the order is random
  Vector mean, S2;
  Pass(sample, Z.rows(), workers()).marginals(point_.frame, point_.q(), mean, S2);
  const Index functions = point_.frame.functions();
  Sites sites(count, functions);
  const auto likelihood = plan.likelihood.given(point_.prior.thresholds);
  refresh_sites(*make_site_rule("newton", *likelihood), {targets_.y.head(count), targets_.weight.head(count)},
                mean, S2, workers(), sites);
  // The weights of g: all latent functions have the residual kernel k~, times their scale.
  Vector w = Vector::Zero(count);
  for (Index k = 0; k < sites.w.size(); ++k) {
    const double scale = point_.frame.scale(k % functions);
    w[k / functions] += scale * scale * sites.w[k];
  }
  Z = grow_inputs(point_.frame, sample, w, more, plan.seed);
}

}  // namespace induce::detail
