#include "train/profiled_bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "train/stages.hpp"
#include "train/stored.hpp"

namespace induce::detail {
namespace {

// Of an evaluation, and of those that end a fit: many classes take up to 26 there.
constexpr int most_rounds = 50;
constexpr double shortest_step = 1.0 / 64;
// The rounds have converged if one changes the bound by less than this, relative; a round that lowers it by more has
// overshot. The rounds converge quadratically, so the remaining error is far smaller.
constexpr double round_tolerance = 1e-4;

// The longest step of the sites. The sites of several latent functions ignore that the classes of a row compete: where
// two of them do, the curvature along f_1 - f_2 is twice that of the sites, and a full step lands on the other side as far
// from the optimum as before. Curvatures are one to two times those of the sites, so 2/3 leaves a third of the error at most.
double longest_step(Index functions) { return functions > 1 ? 2.0 / 3 : 1; }

}  // namespace

ProfiledBound::ProfiledBound(std::unique_ptr<SiteRows> rows, const Likelihood& likelihood,
                             const Layout& layout, Workers& workers)
    : functions_(likelihood.latent_functions()), layout_(layout), workers_(workers), rows_(std::move(rows)) {}

void ProfiledBound::start(const Prior& prior) {
  const auto placed = layout_.kernel->place(prior.theta.data(), prior.Z);
  const double k_ii = placed->diagonal() + (placed->terms() ? placed->terms()->variance() : 0);
  Vector m = Vector::Constant(functions_, prior.mean), S2 = Vector::Constant(functions_, k_ii);
  for (std::size_t c = 0; c < prior.classes.size(); ++c) {
    const ClassPrior& each = prior.classes[c];
    m[static_cast<Index>(c)] = each.mean;
    S2[static_cast<Index>(c)] *= each.scale * each.scale;
  }
  best_ = ProfiledPoint();
  best_.prior = prior;
  warm_ = rows_->sites_at(m, S2, prior.thresholds);
  cold_ = {};
}

void ProfiledBound::start(const Prior& prior, const Frame& frame, const Posteriors& q) {
  start(prior);
  cold_ = std::exchange(warm_, rows_->sites_at(frame, q));
}

SiteSet ProfiledBound::towards(const SiteSet& from, const SiteSet& target, double step) {
  return step == 1 ? target : rows_->between(from, target, step);
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

void ProfiledPoint::archive(Archive& a, const std::shared_ptr<const Kernel>& kernel, Index d) {
  const Index functions = prior.functions();
  archive_prior(a.inside("prior"), prior, *kernel, d);
  a("value", value);
  a("ok", ok);
  if (!ok) return;
  Fitted stored = fitted();
  archive_fitted(a.inside("fitted"), stored, kernel, d, prior);
  double price = sparsity_price();
  if (a.loading()) {
    if (!stored.frame.ok) a.reject("fitted", "is missing");
    frame = std::move(stored.frame);
    collapsed.assign(static_cast<std::size_t>(functions), {});
    for (Index c = 0; c < functions; ++c) collapsed[c].q = std::move(stored.q[c]);
  }
  a("elbo", elbo);
  a("sparsity_price", price);
  if (a.loading()) collapsed[0].sparsity_price = price;
}

// The true bound at point.sites, its marginals and, if requested, the gradient at fixed sites. On return next_
// holds the sites for these marginals. A Newton site has the same expectation as log p under its marginal, so
// sum E log p is the expectation of next_.
bool ProfiledBound::evaluate(ProfiledPoint& point, Gradient* gradient) {
  Sums& sums = rows_->first_half(point.frame, point.sites);
  collapse(point.frame, sums, point.collapsed, workers_);
  double F = 0;
  for (const Collapsed& each : point.collapsed) {
    if (!each.ok) return false;
    F += each.F;
  }
  SiteRows::Answer answer =
      rows_->second_half(point.frame, point.q(), point.sites, {.adjoint = gradient != nullptr});
  if (gradient) *gradient = fixed_site_gradient(point.frame, point.collapsed, *answer.adjoint);
  next_ = std::move(answer.next);
  point.elbo = F - answer.expected.old + answer.expected.next;
  return std::isfinite(point.elbo);
}

// One round from the sites of the point, with a step as long as the bound allows. False if no step helps: the sites are then
// those before.
bool ProfiledBound::round(ProfiledPoint& point, double slack, Gradient* gradient) {
  const double before = point.elbo;
  const SiteSet previous = point.sites, target = next_;
  bool up_to_date = false;  // do point and gradient belong to the last accepted sites?
  for (;; step_ /= 2) {
    point.sites = towards(previous, target, step_);
    up_to_date = evaluate(point, gradient) && point.elbo >= before - slack;
    if (up_to_date || step_ < shortest_step) break;
  }
  warm_step_ = point.elbo < before ? step_ / 2 : step_;
  if (up_to_date) return true;
  point.sites = previous;
  return false;
}

// Rounds of sites and q at one theta, from the warm sites. Without a gradient there may be many of them.
bool ProfiledBound::settle(ProfiledPoint& point, double tolerance, Gradient* gradient,
                           const std::function<void()>& after_round) {
  for (int number = 1; number <= most_rounds; ++number) {
    const double before = point.elbo, slack = tolerance * (1 + std::abs(before));
    if (!round(point, slack, gradient)) return evaluate(point, gradient);
    if (after_round) after_round();
    const double gain = point.elbo - before;
    if (gain < std::max(slack, tolerance * tolerance_unit(before, rows_->n()))) break;
  }
  return true;
}

double ProfiledBound::operator()(const Vector& x, Vector& gradient_out) {
  Gradient gradient;
  if (!begin_at(x) || !settle(trial_, round_tolerance, &gradient)) return -INFINITY;
  layout_.pack_gradient(gradient, gradient_out);
  trial_.value = trial_.elbo + log_prior(layout_, trial_.prior, gradient_out);
  if (trial_.value > best_.value) {
    take_trial();
    warm_ = towards(best_.sites, next_, warm_step_);
  } else {
    warm_ = best_.sites;  // towards the best point, the value tends to the best one
  }
  return trial_.value;
}

void ProfiledBound::converge(const Vector& x, double tolerance) {
  if (!begin_at(x)) return;
  Vector gradient = Vector::Zero(x.size());
  const double of_prior = log_prior(layout_, trial_.prior, gradient);
  const auto keep = [&] {
    trial_.value = trial_.elbo + of_prior;
    if (trial_.value > best_.value) take_trial();
  };
  if (settle(trial_, tolerance, nullptr, keep)) keep();
}

// The trial at x and its warm sites.
bool ProfiledBound::begin_at(const Vector& x) {
  trial_.prior = layout_.unpack(best_.prior, x);
  trial_.frame = make_frame(layout_.kernel, trial_.prior);
  if (!trial_.frame.ok) return false;
  double cold = -INFINITY;
  if (cold_.number) {
    trial_.sites = std::exchange(cold_, {});
    if (evaluate(trial_, nullptr)) cold = trial_.elbo;
  }
  const SiteSet other = std::exchange(trial_.sites, warm_);
  // Too long once is often too long again: doubled once for an evaluation.
  step_ = std::min(longest_step(functions_), 2 * step_);
  if (evaluate(trial_, nullptr) && trial_.elbo >= cold) return true;
  if (cold == -INFINITY) return false;
  trial_.sites = other;
  return evaluate(trial_, nullptr);
}

void ProfiledBound::take_trial() {
  best_ = trial_;
  best_.ok = true;
}

}  // namespace induce::detail
