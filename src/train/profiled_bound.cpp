#include "train/profiled_bound.hpp"

#include <algorithm>
#include <cmath>

#include "train/row_sums.hpp"
#include "train/stored.hpp"

namespace induce {
namespace {

constexpr int first_rounds = 50, later_rounds = 10;  // of one evaluation, at the most
constexpr double shortest_step = 1.0 / 64;
// A round that moves the bound by less than this, relative, has settled; one that lowers it by more has
// overshot. The rounds converge quadratically, so what is left then is far smaller.
constexpr double settled = 1e-4;

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

ProfiledBound::ProfiledBound(TableView X, const Targets& targets, Index m, const Shape& shape,
                             const Layout& layout, Workers& workers, std::size_t memory)
    : targets_(targets), shape_(shape), layout_(layout), pass_(X, m, workers, memory) {}

void ProfiledBound::start(const Prior& prior) {
  const Index n = pass_.n();
  start(prior, Vector::Constant(n, prior.hyper.mean), Vector::Constant(n, prior.hyper.k_ii()));
}

void ProfiledBound::start(const Prior& prior, const Vector& m, const Vector& S2) {
  best_ = ProfiledPoint();
  best_.prior = prior;
  best_.value = -INFINITY;
  warm_ = Sites(pass_.n());
  refresh_sites(site_rule("newton"), targets_, m, S2, pass_.workers(), warm_);
}

void ProfiledBound::archive(Archive& a) {
  const Index n = pass_.n(), d = pass_.d();
  archive_prior(a.inside("prior"), best_.prior, d);
  if (best_.prior.Z.rows() != pass_.m()) a.reject("prior.Z", "has another number of rows than the stage");
  archive_sites(a.inside("warm"), warm_, n);
  a("step", step_);
  a("value", best_.value);
  a("ok", best_.ok);
  if (best_.ok) {
    Fitted fitted{best_.frame, best_.collapsed.q};
    archive_fitted(a.inside("fitted"), fitted, shape_, d);
    if (a.loading()) {
      if (fitted.frame.m() != pass_.m()) a.reject("fitted.Z", "has another number of rows than the stage");
      best_.frame = std::move(fitted.frame);
      best_.collapsed.q = std::move(fitted.q);
    }
    archive_sites(a.inside("sites"), best_.sites, n);
    a.sized("m", best_.m, n);
    a.sized("S2", best_.S2, n);
    a("elbo", best_.elbo);
    a("sparsity_price", best_.collapsed.sparsity_price);
  }
  long passes = this->passes();
  a("passes", passes);
  earlier_passes_ = passes - pass_.count();
}

// The true bound at point.sites, its marginals and (unless the round is a first guess) the gradient at fixed
// sites. On return next_ holds the sites that these marginals ask for. The Newton site has the same
// expectation as log p under the marginal it was made for, so sum E log p is that of next_.
bool ProfiledBound::evaluate(ProfiledPoint& point, Gradient* gradient) {
  collapse(point.frame, pass_.first_half(point.frame, point.sites), point.collapsed);
  if (!point.collapsed.ok) return false;
  if (gradient)
    *gradient = fixed_site_gradient(pass_, point.frame, point.collapsed, point.sites, point.m, point.S2);
  else
    pass_.marginals(point.frame, point.collapsed.q, point.m, point.S2);
  refresh_sites(site_rule("newton"), targets_, point.m, point.S2, pass_.workers(), next_);
  point.elbo = point.collapsed.F - expected_sites(point.sites, point.m, point.S2) +
               expected_sites(next_, point.m, point.S2);
  return std::isfinite(point.elbo);
}

// Rounds of sites and q at one theta, from the warm sites.
bool ProfiledBound::settle(ProfiledPoint& point, Gradient& gradient) {
  next_ = Sites(pass_.n());
  point.sites = warm_;
  if (!evaluate(point, nullptr)) return false;
  const int most_rounds = best_.ok ? later_rounds : first_rounds;
  step_ = std::min(1.0, 2 * step_);  // where one step was too long, so is the next: raised once an evaluation
  bool up_to_date = false;           // are point and gradient those of the last sites that were accepted?
  for (int round = 1; round <= most_rounds; ++round) {
    const double before = point.elbo, slack = settled * (1 + std::abs(before));
    previous_ = point.sites;
    target_ = next_;
    for (;; step_ /= 2) {
      towards(previous_, target_, step_, point.sites);
      up_to_date = evaluate(point, &gradient) && point.elbo >= before - slack;
      if (up_to_date || step_ < shortest_step) break;
    }
    if (!up_to_date) {  // no step helps: stay
      point.sites = previous_;
      return evaluate(point, &gradient);
    }
    if (point.elbo - before < slack) break;
  }
  return true;
}

double ProfiledBound::log_prior(const Hyper& hyper, Vector* gradient) const {
  const Index l = hyper.lengthscales.size();
  const Index d = best_.prior.Z.cols();
  const double centre = std::log(layout_.spread * std::sqrt(static_cast<double>(d)));
  double value = 0;
  const auto add = [&](Index at, double z) {
    value -= z * z / 2;
    if (gradient) (*gradient)[at] -= z;
  };
  add(0, std::log(hyper.signal_std));
  for (Index f = 0; f < l; ++f) add(1 + f, std::log(hyper.lengthscales[f]) - centre);
  return value;
}

double ProfiledBound::operator()(const Vector& x, Vector& gradient_out) {
  trial_.prior = layout_.unpack(best_.prior, x);
  trial_.frame = make_frame(shape_, trial_.prior.hyper, trial_.prior.Z);
  Gradient gradient;
  if (!trial_.frame.ok || !settle(trial_, gradient)) return -INFINITY;
  layout_.pack_gradient(trial_.prior, gradient, gradient_out);
  trial_.value = trial_.elbo + log_prior(trial_.prior.hyper, &gradient_out);
  trial_.ok = true;
  if (trial_.value > best_.value) {
    best_ = trial_;
    warm_ = next_;
  }
  return trial_.value;
}

}  // namespace induce
