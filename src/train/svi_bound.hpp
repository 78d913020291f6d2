// The true bound (11) as a function of one vector: theta, mu and the Cholesky factor R of Sigma, so that
// Sigma = R R' stays positive definite. A minibatch S gives an unbiased estimate of it,
//   E = n/|S| sum_{i in S} E_q log p(y_i | f_i) - KL(N(mu, R R') || N(0, K_mm)).
// With g_i, s_i the derivatives of the sum in m_i and S2_i (E l' and E l''/2, times n/|S|), h = V g
// and P_s = V diag(s) V', dm_i/dmu = K^-1 k_i = L^-T v_i and dS2_i/dR = 2 K^-1 k_i k_i'K^-1 R give
//   dE/dmu = L^-T (h - a)                                                                            (m)
//   dE/dR  = tril( 2 L^-T (P_s - I/2) L^-1 R ) + diag(1/R_jj)                                        (m x m)
// and the rest goes through the adjoints of core/gradient.hpp.
#pragma once

#include "core/fitted.hpp"
#include "core/pass.hpp"
#include "likelihood/likelihood.hpp"
#include "site/targets.hpp"
#include "train/parameters.hpp"

namespace induce::detail {

struct SviPoint {
  Prior prior;
  Vector mu;  // m
  Matrix R;   // m x m, lower triangular
};

class SviBound {
 public:
  SviBound(const Likelihood& likelihood, const Layout& layout, const Prior& like);

  Index size() const;
  Index inducing() const { return like_.Z.rows(); }
  Vector pack(const SviPoint& point) const;
  SviPoint unpack(const Vector& x) const;

  // scale * sum over the pass's rows - KL, its gradient and the fitted q, the last two only if the pointer is
  // not null. -infinity if the kernel matrix cannot be factorised.
  double value(Pass& pass, const Targets& targets, double scale, const Vector& x, Vector* gradient,
               Fitted* fitted) const;

 private:
  const Likelihood& likelihood_;
  const Layout& layout_;
  Prior like_;
};

}  // namespace induce::detail
