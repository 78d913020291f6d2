// Effects and importance of the features of a fitted model, over given rows.
//
// The posterior of the latent function is a Gaussian process (core/posterior.hpp),
//   E f(x) = m(x) = mean + k(x)'alpha,      Cov(f(x), f(x')) = k(x, x') - v(x)'D v(x'),     v(x) = L^-1 k(x).
// Write (v, x_i) for row x_i with its feature replaced by v. The main effect of the feature is an average over R rows,
//   h(v) = (1/R) sum_i f(v, x_i),           c(v) = h(v) - sum_g p_g h(v_g),
// centred over the feature's own distribution: p_g is the share of the rows at grid point v_g. Both are linear in f, so
// their posterior is Gaussian and known exactly. With the averaged covariances
//   kbar_g = (1/R) sum_i k(v_g, x_i)                              (m)
//   S(v_g - v_h) = (1/R^2) sum_ij k((v_g, x_i), (v_h, x_j))       a stationary kernel depends on v_g - v_h only
//   e_g = L^-1 (kbar_g - sum_h p_h kbar_h)                        (m)
// they are
//   E c(v_g)   = (kbar_g - sum_h p_h kbar_h)'alpha
//   Var c(v_g) = S(0) - 2 sum_h p_h S(v_g - v_h) + sum_hk p_h p_k S(v_h - v_k) - e_g'D e_g.
// A column may have several features (table/encoding.hpp); v is then the vector of them, and its difference counts.
// Terms (term/terms.hpp) are added in closed form: see term_effects.hpp. e_g then has C'omega below L^-1 k, and their prior variance is the
// square of that. White noise has no covariance between rows and plays no part. If the kernel is a sum of functions of one feature each,
// c is the posterior of that feature's own function, whatever the rows, but centred. The mean uses more rows than the
// band, whose cost grows with R^2; both terms of a variance use the same rows, or it could be negative.
//
// With C latent functions f_c = mean_c + r_c g_c, all of the above holds for each g_c, and the effect of a class is that on
// f_c - (1/C) sum_k f_k (curve.hpp).
//
// Importance: shares of the variance of m over rows whose feature is drawn anew, from the row j(i), so that it does not depend on the
// other features. With x_i' = (x_jf, x_i) and C functions of the sum of their variances,
//   main  = Var_i c(x_if) / Var_i m(x_i'),     the joint part of c by linear interpolation, constant beyond the grid
//   total = (1/2N) sum_i (m(x_i) - m(x_i'))^2 / Var_i m(x_i')                                  Jansen (1999)
// where j is a cyclic shift of the shuffled rows, averaged over several shifts. These are the first-order and total Sobol indices
// of m over such rows, so main <= total <= 1 holds for the expectations, whatever the correlations; it is imposed on the estimates, where a
// whole is at least as large as each of its parts. Over the rows as they are, a difference of two equal features has no variance at all, and
// shares of it would exceed 1.
//
// Shares of terms: with c_f the effect of column f, t_p that of a pair, and r what is left, over the rows as they are,
//   r(x_i) = m(x_i) - sum_f c_f(x_i) - sum_p t_p(x_i),         share = Var_i of one / the sum of all these variances.
#pragma once

#include <optional>

#include <induce/explain.hpp>

#include "core/fitted.hpp"
#include "explain/sample.hpp"

namespace induce::detail {

// Empty if some number is not finite. `rows` in a fixed order that means nothing. May throw Stopped.
std::optional<Explanation> explain_fitted(const Fitted& fitted, const FeatureMap& map,
                                          const MemoryStore& rows, Workers& workers);

// False if explain_fitted would take many seconds.
bool quick_to_explain(const Fitted& fitted, const MemoryStore& rows);

}  // namespace induce::detail
