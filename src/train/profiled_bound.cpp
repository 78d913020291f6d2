#include "train/profiled_bound.hpp"

#include <algorithm>
#include <cmath>

#include "train/row_sums.hpp"
#include "train/stages.hpp"
#include "train/stored.hpp"

namespace induce {
namespace {

constexpr int first_rounds = 50, later_rounds = 10;  // upper limits per evaluation
constexpr double shortest_step = 1.0 / 64;
// The rounds have converged if one changes the bound by less than this, relative; a round that lowers it by more has
// overshot. The rounds converge quadratically, so the remaining error is far smaller.
constexpr double round_tolerance = 1e-4;
// A point that stays below the best one even if the next rounds gain so many times what the last one did is a step that
// the line search will shorten anyway: cod-rna with 400 inputs spent a fifth of its last stage on settling two of them.
constexpr double hopeless_gains = 10;

// The longest step of the sites. The sites of several latent functions ignore that the classes of a row compete: where
// two of them do, the curvature along f_1 - f_2 is twice that of the sites, and a full step lands on the other side as far
// from the optimum as before. Curvatures are one to two times those of the sites, so 2/3 leaves a third of the error at most.
double longest_step(Index functions) { return functions > 1 ? 2.0 / 3 : 1; }

// The softmax does not see a function h that is added to all f_c, so the best h is that with the least KL: minus
// sum_c (m_c - mean_c)/r_c^2 over sum_c 1/r_c^2. The sites have no terms between classes and would take many rounds to
// find it.
void remove_common_part(const Frame& frame, Vector& m) {
  const Index functions = frame.functions();
  for (Index first = 0; first < m.size(); first += functions) {
    double sum = 0, norm = 0;
    for (Index c = 0; c < functions; ++c) {
      const double r2 = frame.scale(c) * frame.scale(c);
      sum += (m[first + c] - frame.mean(c)) / r2;
      norm += 1 / r2;
    }
    m.segment(first, functions).array() -= sum / norm;
  }
}

// to := from + step (target - from)
void towards(const Sites& from, const Sites& target, double step, Sites& to) {
  if (step == 1) {
    to = target;
    return;
  }
  to.w = from.w + step * (target.w - from.w);
  to.t = from.t + step * (target.t - from.t);
  to.c = from.c + step * (target.c - from.c);
}

}  // namespace

ProfiledBound::ProfiledBound(const RowMatrix& X, const Targets& targets, Index m,
                             const Likelihood& likelihood, const Layout& layout, Workers& workers,
                             std::size_t memory)
    : targets_(targets),
      rule_(make_site_rule("newton", likelihood)),
      layout_(layout),
      pass_(X, m, workers, memory) {
  if (likelihood.latent_functions() > 1)  // archive() reads as many
    best_.prior.classes.resize(static_cast<std::size_t>(likelihood.latent_functions()));
}

void ProfiledBound::start(const Prior& prior) {
  const Index n = pass_.n();
  const Index functions = prior.functions();
  const double k_ii = layout_.kernel->place(prior.theta.data(), prior.Z)->diagonal();
  Vector m = Vector::Constant(n * functions, prior.mean), S2 = Vector::Constant(n * functions, k_ii);
  for (Index k = 0; k < (prior.classes.empty() ? 0 : m.size()); ++k) {
    const ClassPrior& each = prior.classes[k % functions];
    m[k] = each.mean;
    S2[k] *= each.scale * each.scale;
  }
  start(prior, m, S2);
}

void ProfiledBound::start(const Prior& prior, const Vector& m, const Vector& S2) {
  best_ = ProfiledPoint();
  best_.prior = prior;
  warm_ = Sites(pass_.n(), prior.functions());
  refresh_sites(*rule_, targets_, m, S2, pass_.workers(), warm_);
}

double ProfiledPoint::sparsity_price() const {
  double price = 0;
  for (const Collapsed& each : collapsed) price += each.sparsity_price;
  return price;
}

Fitted ProfiledPoint::fitted() const {
  Fitted fitted{frame, {}};
  for (const Collapsed& each : collapsed) fitted.q.push_back(each.q);
  return fitted;
}

void ProfiledPoint::archive(Archive& a, const std::shared_ptr<const Kernel>& kernel, Index n, Index d) {
  const Index functions = prior.functions();
  archive_prior(a.inside("prior"), prior, *kernel, d);
  a("value", value);
  a("ok", ok);
  if (!ok) return;
  Fitted stored = fitted();
  archive_fitted(a.inside("fitted"), stored, kernel, d, functions);
  double price = sparsity_price();
  if (a.loading()) {
    if (!stored.frame.ok) a.reject("fitted", "is missing");
    frame = std::move(stored.frame);
    collapsed.assign(static_cast<std::size_t>(functions), {});
    for (Index c = 0; c < functions; ++c) collapsed[c].q = std::move(stored.q[c]);
  }
  archive_sites(a.inside("sites"), sites, n, functions);
  a.sized("m", m, n * functions);
  a.sized("S2", S2, n * functions);
  a("elbo", elbo);
  a("sparsity_price", price);
  if (a.loading()) collapsed[0].sparsity_price = price;
}

void ProfiledBound::archive(Archive& a) {
  Archive point = a.inside("best");
  best_.archive(point, layout_.kernel, pass_.n(), pass_.d());
  if (best_.prior.Z.rows() != pass_.m() || (best_.ok && best_.frame.m() != pass_.m()))
    a.reject("best", "differs from the stage in the number of inducing inputs");
  archive_sites(a.inside("warm"), warm_, pass_.n(), best_.prior.functions());
  a("step", step_);
  long passes = this->passes();
  a("passes", passes);
  earlier_passes_ = passes - pass_.count();
}

// The true bound at point.sites, its marginals and, if requested, the gradient at fixed sites. On return next_
// holds the sites for these marginals. A Newton site has the same expectation as log p under its marginal, so
// sum E log p is the expectation of next_.
bool ProfiledBound::evaluate(ProfiledPoint& point, Gradient* gradient) {
  Sums& sums = pass_.first_half(point.frame, point.sites);
  const Index functions = point.frame.functions();
  point.collapsed.resize(static_cast<std::size_t>(functions));
  pass_.workers().run(functions,
                      [&](Index c, int /*worker*/) { collapse(point.frame, sums, point.collapsed[c], c); });
  double F = 0;
  for (const Collapsed& each : point.collapsed) {
    if (!each.ok) return false;
    F += each.F;
  }
  if (gradient)
    *gradient = fixed_site_gradient(pass_, point.frame, point.collapsed, point.sites, point.m, point.S2);
  else
    pass_.marginals(point.frame, point.q(), point.m, point.S2);
  const double of_sites = expected_sites(point.sites, point.m, point.S2, pass_.workers());
  if (functions > 1) {
    shifted_ = point.m;
    remove_common_part(point.frame, shifted_);
  }
  const Vector& m = functions > 1 ? shifted_ : point.m;
  refresh_sites(*rule_, targets_, m, point.S2, pass_.workers(), next_);
  point.elbo = F - of_sites + expected_sites(next_, m, point.S2, pass_.workers());
  return std::isfinite(point.elbo);
}

// Rounds of sites and q at one theta, from the warm sites.
bool ProfiledBound::settle(ProfiledPoint& point, Gradient& gradient) {
  next_ = Sites(pass_.n(), point.frame.functions());
  point.sites = warm_;
  if (!evaluate(point, nullptr)) return false;
  const int most_rounds = best_.ok ? later_rounds : first_rounds;
  step_ = std::min(longest_step(point.frame.functions()),
                   2 * step_);  // too long once is often too long again: doubled once per evaluation
  bool up_to_date = false;      // do point and gradient belong to the last accepted sites?
  for (int round = 1; round <= most_rounds; ++round) {
    const double before = point.elbo, slack = round_tolerance * (1 + std::abs(before));
    previous_ = point.sites;
    target_ = next_;
    for (;; step_ /= 2) {
      towards(previous_, target_, step_, point.sites);
      up_to_date = evaluate(point, &gradient) && point.elbo >= before - slack;
      if (up_to_date || step_ < shortest_step) break;
    }
    warm_step_ = point.elbo < before ? step_ / 2 : step_;
    if (!up_to_date) {  // no step helps: keep the previous sites
      point.sites = previous_;
      return evaluate(point, &gradient);
    }
    const double gain = point.elbo - before;
    if (gain < std::max(slack, round_tolerance * tolerance_unit(before, pass_.n()))) break;
    if (best_.ok && point.elbo + hopeless_gains * gain < best_.elbo) break;
  }
  return true;
}

double ProfiledBound::operator()(const Vector& x, Vector& gradient_out) {
  trial_.prior = layout_.unpack(best_.prior, x);
  trial_.frame = make_frame(layout_.kernel, trial_.prior);
  Gradient gradient;
  if (!trial_.frame.ok || !settle(trial_, gradient)) return -INFINITY;
  layout_.pack_gradient(gradient, gradient_out);
  trial_.value = trial_.elbo + log_prior(*layout_.kernel, trial_.prior, gradient_out);
  trial_.ok = true;
  if (trial_.value > best_.value) {
    best_ = trial_;
    towards(best_.sites, next_, warm_step_, warm_);
  } else {
    warm_ = best_.sites;  // towards the best point, the value tends to the best one
  }
  return trial_.value;
}

}  // namespace induce
