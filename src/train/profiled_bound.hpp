// The true bound (11) as a function of theta, mean and Z alone: q, through its sites, is always at its optimum
// (within a tolerance).
//
// The fixed point of the Newton rule is the q that maximises (11). There F equals the bound, and by the envelope
// theorem the gradient at fixed sites is the gradient of the profiled bound. In the whitened coordinates of
// posterior.hpp, with l_i = log p(y_i | f_i) and expectations under the marginals N(m_i, S2_i),
//   E(a, C) = sum_i E l_i - KL,      KL = (a'a - tr D)/2 + sum log diag L_B,      D = I - C,
// is a lower bound for any q, however it was found. Sites are warm-started from the best evaluation so far, and an
// evaluation makes two kinds of steps:
//
// Mean, n m each. For fixed C, E is concave in a with slope h = V g - a, g_i = E l_i', and curvature
//   -(I + V diag(-E l'') V'), which is -C^-1 up to the change of w. So a += C h, with a predicted gain of h'C h/2.
// Round of sites, n m^2. C = (I + V diag(w) V')^-1 gets w' = -E l''. With P = V diag(w' - w) V' the slope of E in C is
//   -P/2 and the step dC = -C P C, to first order: a predicted gain of tr(C P C P)/4 = |L_B^-1 P L_B^-T|^2/4 (Frobenius),
//   whose unbiased estimate from a vector z of random signs, |L_B^-1 P L_B^-T z|^2/4, costs n m.
//
// The mean is optimal for its C before anything else is decided; then w is the only thing that is out of date, by one
// step of the optimizer, and a round is made only if its predicted gain matters (tolerance()). A round can overshoot:
// if it would lower the bound, its step is halved until it does not.
//
// q is then the optimum for the sites w_i, t_i = g_i + w_i m_i, so the gradient at fixed sites holds; its error is of
// the first order in w' - w, that of the value of the second.
//
// With mixed precision (pass.hpp) the value has an error of about 1e-8 relative and the gradient of 1e-5. finish()
// evaluates the best point again in full precision.
//
// The kernel's log priors on theta are added to the bound; they keep theta finite where the data do not
// determine it.
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
  double value = -INFINITY;  // elbo plus log prior: the objective
  bool ok = false;

  Fitted fitted() const { return {frame, collapsed.q}; }
  void archive(Archive& a, const std::shared_ptr<const Kernel>& kernel, Index n, Index d);
};

class ProfiledBound {
 public:
  ProfiledBound(const RowMatrix& X, const Targets& targets, Index m, const Likelihood& likelihood,
                const Layout& layout, Workers& workers, std::size_t memory,
                Precision precision = Precision::full);

  // Initialises the sites from the marginals N(m, S2), or from the marginals of the prior.
  void start(const Prior& prior);
  void start(const Prior& prior, const Vector& m, const Vector& S2);
  // Continues from a point.
  void start(const ProfiledPoint& best);

  // Value and gradient at the packed x; -infinity on numerical breakdown. Keeps the best point so far.
  double operator()(const Vector& x, Vector& gradient);

  // Evaluates the best point again, in full precision and with sites that have converged. Later evaluations are in
  // full precision too.
  void finish();

  // Archives everything that the next evaluation depends on; loading replaces start().
  void archive(Archive& a);

  const ProfiledPoint& best() const { return best_; }
  Precision precision() const { return pass_->precision(); }
  long passes() const { return earlier_passes_ + pass_->count(); }
  std::size_t kept_bytes() const { return std::max(kept_bytes_, pass_->kept_bytes()); }

 private:
  void use(Precision precision);
  double tolerance(double elbo) const;
  double sweep_means(ProfiledPoint& point, Vector& Kg);
  bool evaluate(ProfiledPoint& point);
  double predicted_gain(const ProfiledPoint& point);
  bool settle(ProfiledPoint& point);
  void store_sites(ProfiledPoint& point);

  const RowMatrix& X_;
  const Targets& targets_;
  std::unique_ptr<const SiteRule> rule_;
  Layout layout_;
  std::size_t memory_;
  std::unique_ptr<Pass> pass_;
  ProfiledPoint best_, trial_;
  Sites warm_;                      // where the next evaluation starts
  Sites next_, previous_, target_;  // within an evaluation
  Vector g_, s_;                    // slopes of the sites in m and S2
  double step_ = 1;                 // step length of the sites
  double goal_ = 0, share_ = 0;     // of the evaluation: the bound of the best point, the relative tolerance
  std::size_t kept_bytes_ = 0;
  long earlier_passes_ = 0;  // before the checkpoint that the fit resumes from
};

}  // namespace induce
