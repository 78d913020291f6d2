// Leave-one-out prediction of each training row: the model without that row's site.
//
// At fixed sites q(u) is prior times exp(sum_i t'_i g_i - w_i g_i^2/2), with g_i = v_i'e = f_i - mean less
// its residual, t' = t - w mean. Under q, g_i ~ N(m_i - mean, u_i), u_i = v_i'B^-1 v_i = S2_i - k~_ii.
// Dividing the one factor out (d_i = 1 - w_i u_i, positive since B >= I + w_i v_i v_i'),
//   g_i ~ N((m_i - mean - u_i t'_i)/d_i, u_i/d_i),
// and putting mean and residual back
//   f_i ~ N(mean + (m_i - mean - u_i t'_i)/d_i,  k~_ii + u_i/d_i).
// This equals a refit with theta, Z and the sites of the other rows fixed.
//
// The sites of the other rows move too. At the fixed point of the sites, the force of a row on the mean is phi_i = t_i - w_i m_i,
// and to first order it changes by -omega_i per unit of m_i. A Newton or Taylor site has omega = w, because t follows
// m too. A Jaakkola-Jordan site has a fixed t and a w that falls with |m|, so that omega < w: the others hold the mean back
// less than their sites say. Sites of precision omega with the same forces, t* = phi + omega m, have the same mean;
// leaving one of them out gives the mean of a refit to first order. The variance changes only to third order in
// the covariance of two rows.
//
// Where three equal rows are merged, only one of them is left out, that is, a third of the site. With several latent functions the site of a row is a product over
// them, and the formulas hold for each, with r_c^2 k~_ii in place of k~_ii.
#pragma once

#include <optional>

#include "core/pass.hpp"

namespace induce::detail {

struct LeaveOneOut {
  Vector m, S2;  // n each (n x C, row-major), of f_i without row i
};

// `m` and `S2` are the marginals of the optimal q for these sites; `copies`: of how many equal rows each was merged. Costs
// half a pass.
LeaveOneOut leave_one_out(Pass& pass, const Frame& frame, const Sites& sites, const Vector& copies,
                          const Vector& m, const Vector& S2);

// The means if the sites of the other rows move as well. `slopes`: omega of each row, for one latent function. Costs a pass
// more. None if there is no q with these slopes, as at the sites of a damaged checkpoint.
std::optional<Vector> means_without_each(Pass& pass, const Frame& frame, const Sites& sites,
                                         const Vector& slopes, const Vector& copies, const Vector& m);

}  // namespace induce::detail
