// The true bound (11) as a function of theta, mean and Z alone: q, through its sites, is always at (or within
// a tolerance of) its optimum.
//
// The Newton rule's fixed point is the q that maximises (11). There F equals the bound, and by the envelope
// theorem the gradient at fixed sites is the gradient of the profiled bound. Sites are warm: they start where
// the last accepted evaluation left them. An evaluation makes two rounds,
//   sites -> q -> marginals -> sites -> q -> marginals,
// and more only while the bound has not settled; one round is not enough (L-BFGS stops early at a worse
// bound), four end at the same place as two. A fixed-site Newton bound is no lower bound away from its point,
// and a round can overshoot: so the value is always the true bound of the resulting q, and where a round
// would lower it, the sites go only half as far, and half again, until it does not.
//
// Added to the bound are the kernel's priors on theta, which keep it finite where the data cannot.
#pragma once

#include <cmath>
#include <memory>

#include "core/fitted.hpp"
#include "core/gradient.hpp"
#include "core/pass.hpp"
#include "state/archive.hpp"
#include "site/targets.hpp"
#include "train/parameters.hpp"

namespace induce {

struct ProfiledPoint {
  Prior prior;
  Sites sites;
  Frame frame;
  Collapsed collapsed;
  Vector m, S2;              // marginals of collapsed.q
  double elbo = 0;           // the true bound
  double value = -INFINITY;  // with the log prior: what is maximised
  bool ok = false;

  Fitted fitted() const { return {frame, collapsed.q}; }
  void archive(Archive& a, const std::shared_ptr<const Kernel>& kernel, Index n, Index d);
};

class ProfiledBound {
 public:
  ProfiledBound(const RowMatrix& X, const Targets& targets, Index m, const Likelihood& likelihood,
                const Layout& layout, Workers& workers, std::size_t memory);

  // Sites for the marginals N(m, S2), or for the prior's own marginals.
  void start(const Prior& prior);
  void start(const Prior& prior, const Vector& m, const Vector& S2);

  // Value and gradient at the packed x; -infinity where the numbers break down. The best point so far is
  // kept.
  double operator()(const Vector& x, Vector& gradient);

  // In place of start(), what a checkpoint has; with every checkpoint, all that the next evaluation depends
  // on.
  void archive(Archive& a);

  const ProfiledPoint& best() const { return best_; }
  Pass& pass() { return pass_; }
  long passes() const { return earlier_passes_ + pass_.count(); }
  std::size_t kept_bytes() const { return pass_.kept_bytes(); }

 private:
  bool evaluate(ProfiledPoint& point, Gradient* gradient);
  bool settle(ProfiledPoint& point, Gradient& gradient);

  const Targets& targets_;
  std::unique_ptr<const SiteRule> rule_;
  Layout layout_;
  Pass pass_;
  ProfiledPoint best_, trial_;
  Sites warm_;                      // where the next evaluation starts
  Sites next_, previous_, target_;  // within one
  double step_ = 1;                 // of the sites in one round
  long earlier_passes_ = 0;         // before a checkpoint that this goes on from
};

}  // namespace induce
