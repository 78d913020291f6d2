#include "train/profiled_bound.hpp"

#include <cmath>

#include "train/row_sums.hpp"

namespace induce {
namespace {

constexpr int fewest_rounds = 2, most_rounds = 10, most_halvings = 4;
// A round that moves the bound by less than this, relative, has settled; one that lowers it by more has overshot. The
// rounds converge quadratically, so what is left then is far smaller.
constexpr double settled = 1e-5;

void pull_halfway_back(const Sites& from, Sites& to) {
  to.w = (to.w + from.w) / 2;
  to.t = (to.t + from.t) / 2;
  to.c = (to.c + from.c) / 2;
}

}  // namespace

ProfiledBound::ProfiledBound(TableView X, const Vector& y, Index m, const Shape& shape, const Layout& layout,
                             Workers& workers, std::size_t memory)
    : y_(y), shape_(shape), layout_(layout), pass_(X, m, workers, memory) {}

void ProfiledBound::start(const Prior& prior) {
  const Index n = pass_.n();
  start(prior, Vector::Constant(n, prior.hyper.mean), Vector::Constant(n, prior.hyper.k_ii()));
}

void ProfiledBound::start(const Prior& prior, const Vector& m, const Vector& S2) {
  best_ = ProfiledPoint();
  best_.prior = prior;
  best_.value = -INFINITY;
  warm_ = Sites(pass_.n());
  refresh_sites(site_rule("newton"), y_, m, S2, pass_.workers(), warm_);
}

// Rounds of sites and q at one theta. On return next_ holds the sites that the marginals of the last q ask
// for. The Newton site has the same expectation as log p under the marginal it was made for, so sum E log p
// is that of next_.
bool ProfiledBound::settle(ProfiledPoint& point, Gradient& gradient) {
  const SiteRule& rule = site_rule("newton");
  point.sites = warm_;
  next_ = Sites(pass_.n());
  double before = -INFINITY;
  for (int round = 1, halvings = 0; round <= most_rounds; ++round) {
    collapse(point.frame, pass_.first_half(point.frame, point.sites), point.collapsed);
    if (!point.collapsed.ok) return false;
    if (round >= fewest_rounds)
      gradient = fixed_site_gradient(pass_, point.frame, point.collapsed, point.sites, point.m, point.S2);
    else
      pass_.marginals(point.frame, point.collapsed.q, point.m, point.S2);
    refresh_sites(rule, y_, point.m, point.S2, pass_.workers(), next_);
    point.elbo = point.collapsed.F - expected_sites(point.sites, point.m, point.S2) +
                 expected_sites(next_, point.m, point.S2);
    if (!std::isfinite(point.elbo)) return false;
    const double slack = settled * (1 + std::abs(point.elbo));
    if (point.elbo < before - slack && halvings < most_halvings) {
      ++halvings;
      pull_halfway_back(previous_, point.sites);
      continue;
    }
    if (round >= fewest_rounds && point.elbo - before < slack) break;
    before = point.elbo;
    previous_ = point.sites;
    if (round < most_rounds) point.sites = next_;
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
