#include "train/profiled_bound.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "linalg/blas.hpp"
#include "train/row_sums.hpp"
#include "train/stored.hpp"

namespace induce {
namespace {

constexpr int first_rounds = 50, later_rounds = 10;  // upper limits per evaluation
constexpr int most_mean_steps = 5;                   // per round
constexpr double shortest_step = 1.0 / 64;

// A value is accurate enough if the predicted gain of another round is below this fraction of its difference to the
// best value so far, or below a fraction of the value itself. The error of the gradient goes with the root:
// with .01 of the gain, or 1e-5 of the value, L-BFGS stalls (docs/decisions.md).
constexpr double share_of_gain = 1e-3, share_of_value = 1e-7;
// A value below the best one only sends the line search back, so it may be rougher.
constexpr double share_of_loss = 0.05;
// The same at the end, and where there is no value to compare with.
constexpr double final_share = 1e-8, first_share = 1e-4;

// Steps of the mean cost little, so they are taken until their gain is below this fraction of the tolerance.
constexpr double share_of_mean = 0.1;
// Rounding noise of the bound, relative: a change by less is no fall.
constexpr double noise_of_bound = 1e-8;

// Entry j of a fixed vector of random signs.
double probe(Index j) {
  return std::popcount(static_cast<std::uint64_t>(j) * 0x9e3779b97f4a7c15U) % 2 == 0 ? 1 : -1;
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
                             std::size_t memory, Precision precision)
    : X_(X),
      targets_(targets),
      rule_(make_site_rule("newton", likelihood)),
      layout_(layout),
      memory_(memory),
      pass_(std::make_unique<Pass>(X, m, workers, memory, precision)) {}

void ProfiledBound::use(Precision precision) {
  if (precision == pass_->precision()) return;
  const Index m = pass_->m();
  Workers& workers = pass_->workers();
  kept_bytes_ = kept_bytes();
  earlier_passes_ = passes();
  pass_.reset();  // before the next one allocates its cache
  pass_ = std::make_unique<Pass>(X_, m, workers, memory_, precision);
}

void ProfiledBound::start(const Prior& prior) {
  const Index n = pass_->n();
  const double k_ii = layout_.kernel->place(prior.theta.data(), prior.Z)->diagonal();
  start(prior, Vector::Constant(n, prior.mean), Vector::Constant(n, k_ii));
}

void ProfiledBound::start(const Prior& prior, const Vector& m, const Vector& S2) {
  best_ = ProfiledPoint();
  best_.prior = prior;
  warm_ = Sites(pass_->n());
  refresh_sites(*rule_, targets_, m, S2, pass_->workers(), warm_);
}

void ProfiledBound::start(const ProfiledPoint& best) {
  best_ = best;
  warm_ = best.sites;
}

void ProfiledPoint::archive(Archive& a, const std::shared_ptr<const Kernel>& kernel, Index n, Index d) {
  archive_prior(a.inside("prior"), prior, *kernel, d);
  a("value", value);
  a("ok", ok);
  if (!ok) return;
  Fitted stored = fitted();
  archive_fitted(a.inside("fitted"), stored, kernel, d);
  if (a.loading()) {
    if (!stored.frame.ok) a.reject("fitted", "is missing");
    frame = std::move(stored.frame);
    collapsed.q = std::move(stored.q);
  }
  archive_sites(a.inside("sites"), sites, n);
  a.sized("m", m, n);
  a.sized("S2", S2, n);
  a("elbo", elbo);
  a("sparsity_price", collapsed.sparsity_price);
}

void ProfiledBound::archive(Archive& a) {
  Archive point = a.inside("best");
  best_.archive(point, layout_.kernel, pass_->n(), pass_->d());
  if (best_.prior.Z.rows() != pass_->m() || (best_.ok && best_.frame.m() != pass_->m()))
    a.reject("best", "differs from the stage in the number of inducing inputs");
  archive_sites(a.inside("warm"), warm_, pass_->n());
  a("step", step_);
  bool full = precision() == Precision::full;
  a("full", full);
  use(full ? Precision::full : Precision::mixed);
  long passes = this->passes();
  a("passes", passes);
  earlier_passes_ = passes - pass_->count();
}

double ProfiledBound::tolerance(double elbo) const {
  const double scale = 1 + std::abs(elbo);
  if (share_ > 0) return share_ * scale;
  const double gain = elbo - goal_;
  return std::max(gain > 0 ? share_of_gain * gain : -share_of_loss * gain, share_of_value * scale);
}

// Returns sum E log p at the marginals of q and fills point.m, next_ (the sites for these marginals) and K g.
double ProfiledBound::sweep_means(ProfiledPoint& point, Vector& Kg) {
  const double mean = point.frame.mean();
  point.m.resize(pass_->n());
  Projection& sums = pass_->sweep(
      point.frame, point.collapsed.q.alpha, [&](Index first, Index count, const double* f, double* g) {
        double *m = point.m.data() + first, *w = next_.w.data() + first, *t = next_.t.data() + first,
               *c = next_.c.data() + first;
        const double *S2 = point.S2.data() + first, *weight = targets_.weight.data() + first;
        for (Index i = 0; i < count; ++i) m[i] = mean + f[i];
        rule_->refresh(targets_.y.data() + first, m, S2, count, w, t, c);
        double expected = 0;
        for (Index i = 0; i < count; ++i) {
          w[i] *= weight[i];
          t[i] *= weight[i];
          c[i] *= weight[i];
          g[i] = t[i] - w[i] * m[i];
          expected += c[i] + t[i] * m[i] - w[i] * (m[i] * m[i] + S2[i]) / 2;
        }
        return expected;
      });
  Kg = sums.Kg();
  return sums.total();
}

// q for point.sites, with its mean a moved to the optimum for its covariance C; the true bound and the marginals.
bool ProfiledBound::evaluate(ProfiledPoint& point) {
  Collapsed& collapsed = point.collapsed;
  collapse(point.frame, pass_->first_half(point.frame, point.sites), collapsed);
  if (!collapsed.ok) return false;
  pass_->variances(point.frame, collapsed.L_B, point.S2);
  Posterior& q = collapsed.q;
  const double kl_of_C = collapsed.L_B.diagonal().array().log().sum() - q.D.trace() / 2;
  Vector best_a, step, h;
  double best = -INFINITY, length = 1;
  for (int steps = 0;;) {
    const double expected = sweep_means(point, h);
    point.elbo = expected - kl_of_C - q.a.squaredNorm() / 2;
    if (!std::isfinite(point.elbo)) return false;
    if (point.elbo >= best) {
      blas::solve_lower(point.frame.L, h.data(), 1);
      h -= q.a;
      const Vector Ch = h - q.D * h;
      const bool good = h.dot(Ch) / 2 < share_of_mean * tolerance(point.elbo);
      if (good || steps >= most_mean_steps) break;
      best = point.elbo;
      best_a = q.a;
      step = Ch;
      length = 1;
    } else if (length == 0) {  // back at the best
      break;
    } else {
      length = length > shortest_step ? length / 4 : 0;
    }
    ++steps;
    q.a = best_a + length * step;
    q.alpha = q.a;
    blas::solve_lower_transposed(point.frame.L, q.alpha.data(), 1);
  }
  return true;
}

// Predicts the gain of a round that changes w to next_.w.
double ProfiledBound::predicted_gain(const ProfiledPoint& point) {
  const Matrix &L = point.frame.L, &L_B = point.collapsed.L_B;
  Vector x(pass_->m());
  for (Index j = 0; j < x.size(); ++j) x[j] = probe(j);
  blas::solve_lower_transposed(L_B, x.data(), 1);
  blas::solve_lower_transposed(L, x.data(), 1);
  Vector p = pass_
                 ->sweep(point.frame, x,
                         [&](Index first, Index count, const double* f, double* g) {
                           for (Index i = 0; i < count; ++i)
                             g[i] = (next_.w[first + i] - point.sites.w[first + i]) * f[i];
                           return 0.0;
                         })
                 .Kg();
  blas::solve_lower(L, p.data(), 1);
  blas::solve_lower(L_B, p.data(), 1);
  return p.squaredNorm() / 4;
}

// Rounds of sites and q at one theta, from the warm sites.
bool ProfiledBound::settle(ProfiledPoint& point) {
  next_ = Sites(pass_->n());
  point.sites = warm_;
  if (!evaluate(point)) return false;
  const int most_rounds = best_.ok ? later_rounds : first_rounds;
  step_ = std::min(1.0, 2 * step_);  // too long once is often too long again: doubled once per evaluation
  for (int round = 1; round <= most_rounds; ++round) {
    const double before = point.elbo, noise = noise_of_bound * (1 + std::abs(before));
    if (predicted_gain(point) < tolerance(before)) break;
    previous_ = point.sites;
    target_ = next_;
    bool better = false;
    for (;; step_ /= 2) {
      towards(previous_, target_, step_, point.sites);
      better = evaluate(point) && point.elbo >= before - noise;
      if (better || step_ < shortest_step) break;
    }
    if (!better) {  // no step helps: keep the previous sites
      point.sites = previous_;
      return evaluate(point);
    }
  }
  return true;
}

// The sites that q is optimal for: w of its covariance, t of its mean.
void ProfiledBound::store_sites(ProfiledPoint& point) {
  g_ = next_.t - next_.w.cwiseProduct(point.m);
  s_ = -point.sites.w / 2;
  const auto m = point.m.array(), S2 = point.S2.array(), w = point.sites.w.array();
  point.sites.t = g_.array() + w * m;
  point.sites.c = next_.c.array() + next_.t.array() * m - next_.w.array() * (m.square() + S2) / 2 -
                  point.sites.t.array() * m + w * (m.square() + S2) / 2;
}

double ProfiledBound::operator()(const Vector& x, Vector& gradient_out) {
  trial_.prior = layout_.unpack(best_.prior, x);
  trial_.frame = make_frame(layout_.kernel, trial_.prior);
  Vector of_prior = Vector::Zero(x.size());
  const double prior = log_prior(*layout_.kernel, trial_.prior.theta, of_prior);
  goal_ = best_.value - prior;
  share_ = best_.ok ? 0 : first_share;
  if (!trial_.frame.ok || !settle(trial_)) return -INFINITY;
  store_sites(trial_);
  RowAdjoint& rows = pass_->adjoint(trial_.frame, trial_.collapsed.q, g_, s_);
  layout_.pack_gradient(
      gradient(trial_.frame, rows, unwhiten_adjoint(trial_.frame, collapsed_bracket(trial_.collapsed))),
      gradient_out);
  gradient_out += of_prior;
  trial_.value = trial_.elbo + prior;
  trial_.ok = true;
  if (trial_.value > best_.value) {
    best_ = trial_;
    warm_ = next_;
  }
  return trial_.value;
}

void ProfiledBound::finish() {
  use(Precision::full);
  if (!best_.ok) return;
  trial_ = best_;
  share_ = final_share;
  if (!settle(trial_)) return;
  store_sites(trial_);
  trial_.value = best_.value - best_.elbo + trial_.elbo;
  best_ = trial_;
  warm_ = next_;
}

}  // namespace induce
