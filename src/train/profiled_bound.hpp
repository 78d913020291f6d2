// The true bound (11) as a function of theta, mean and Z alone: q, through its sites, is always at its optimum
// (within a tolerance).
//
// The fixed point of the Newton rule is the q that maximises (11). There F equals the bound, and by the envelope
// theorem the gradient at fixed sites is the gradient of the profiled bound. Sites are warm-started from the
// last accepted evaluation. An evaluation makes two rounds,
//   sites -> q -> marginals -> sites -> q -> marginals,
// and more only while the bound has not settled. One round is not enough (L-BFGS stops early at a worse bound);
// four give the same result as two. A fixed-site Newton bound is not a lower bound away from its point, and a
// round can overshoot. The value is therefore always the true bound of the resulting q, and if a round would
// lower it, the step of the sites is halved until it does not. The next evaluation starts one such step beyond the best
// point, or at its sites if the last evaluation found nothing better.
//
// The kernel's log priors on theta are added to the bound; they keep theta finite where the data do not
// determine it.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "core/fitted.hpp"
#include "core/gradient.hpp"
#include "state/archive.hpp"
#include "train/parameters.hpp"
#include "train/site_rows.hpp"

namespace induce::detail {

struct ProfiledPoint {
  Prior prior;
  SiteSet sites;
  Frame frame;
  std::vector<Collapsed> collapsed;  // one for each latent function
  double elbo = 0;                   // the true bound
  double value = -INFINITY;          // elbo plus log prior: the objective
  bool ok = false;

  Posteriors q() const { return Posteriors(collapsed); }
  double sparsity_price() const;
  Fitted fitted() const;
  void archive(Archive& a, const std::shared_ptr<const Kernel>& kernel, Index d);  // without the sites
};

class ProfiledBound {
 public:
  ProfiledBound(std::unique_ptr<SiteRows> rows, const Likelihood& likelihood, const Layout& layout,
                Workers& workers);

  // Initialises the sites from the marginals of the prior, or of q if the bound is then higher: a q that is sure and wrong about
  // many rows it has never seen is a worse start than none, from which rounds may not recover.
  void start(const Prior& prior);
  void start(const Prior& prior, const Frame& frame, const Posteriors& q);

  // Value and gradient at the packed x; -infinity on numerical breakdown. Keeps the best point so far.
  double operator()(const Vector& x, Vector& gradient);
  // The same with sites at their fixed point, to `tolerance` relative to the bound, for a model to be stored. Each round is
  // kept, so that a stop loses only the one that it interrupts.
  void converge(const Vector& x, double tolerance);

  const ProfiledPoint& best() const { return best_; }
  long passes() const { return rows_->passes(); }
  std::size_t kept_bytes() const { return rows_->kept_bytes(); }

 private:
  bool begin_at(const Vector& x);
  bool evaluate(ProfiledPoint& point, Gradient* gradient);
  bool round(ProfiledPoint& point, double slack, Gradient* gradient);
  bool settle(ProfiledPoint& point, double tolerance, Gradient* gradient,
              const std::function<void()>& after_round = {});
  void take_trial();

  SiteSet towards(const SiteSet& from, const SiteSet& target, double step);

  Index functions_;
  Layout layout_;
  Workers& workers_;
  std::unique_ptr<SiteRows> rows_;
  ProfiledPoint best_, trial_;
  SiteSet warm_;     // where the next evaluation starts
  SiteSet cold_;     // where the first one starts if the bound is higher there; may be none
  SiteSet next_;     // those for the marginals of the last evaluation
  double step_ = 1;  // step length of the sites
  // The step from the last sites to warm_: where rounds oscillate, a full one is a bad start. Set by every evaluation.
  double warm_step_ = 1;
};

}  // namespace induce::detail
