// The gradient with respect to theta, mean and Z, from the adjoints of a pass.
//
// For E = sum_i e_i(m_i, S2_i) - KL(q || p) with g_i = de_i/dm_i, s_i = de_i/dS2_i, h = V g, P_s = V diag(s) V':
//   dE/dK_mm = L^-T [ P_s - P_s C - C P_s - (h a' + a h')/2 - (I - C - a a')/2 ] L^-1                (m x m)
// (m_i = k'K^-1 mu gives -K^-1 k mu'K^-1, S2_i = k_ii - k'K^-1 k + k'K^-1 Sigma K^-1 k gives
//  K^-1 k k'K^-1 - 2 sym(K^-1 k k'K^-1 Sigma K^-1), the KL gives (K^-1 - K^-1 (Sigma + mu mu') K^-1)/2.)
// At the optimum for fixed sites g = t' - w (m - mean), s = -w/2, so P_s = -Q/2, h = b - Q a = a, Q C = D and
// it becomes
//   dF/dK_mm = L^-T (D - a a' - Q) L^-1 / 2.
// With terms, the block of v of the same bracket: F does not change if all v are rotated. Those of the terms are in
// term/terms.hpp. Several latent functions have one bracket each, and dF/dK_mm is L^-T (their sum) L^-1.
// From these, the pullback of the rows and sum_i s_i = dE/dk_ii, the kernel computes the gradient with respect to
// its parameters.
#pragma once

#include <span>
#include <vector>

#include "core/pass.hpp"

namespace induce::detail {

struct Gradient {
  Vector log_theta;  // with respect to the logarithms of the kernel's parameters
  double mean = 0;
  Matrix Z;                           // m x d
  std::vector<ClassPrior> classes{};  // with respect to the means and the logarithms of the scales
  Vector thresholds{};  // of sum_i E log p(y_i | f_i), as an optimizer sees them (likelihood/thresholds.hpp)

  Gradient& operator*=(double factor);
  Gradient& operator+=(const Gradient& other);
};

// L^-T A L^-1 for symmetric A.
Matrix unwhiten_adjoint(const Frame& frame, Matrix A);

// The two forms of the bracket above; the general one is for a kernel without terms.
Matrix collapsed_bracket(const Collapsed& collapsed);
Matrix general_bracket(const Posterior& q, RowAdjoint& rows);

Gradient gradient(const Frame& frame, RowAdjoint& rows, const Matrix& G_mm);

// dF at fixed sites and the optimal q in `collapsed`, one for each latent function, from the adjoint at these sites.
Gradient fixed_site_gradient(const Frame& frame, std::span<const Collapsed> collapsed, RowAdjoint& rows);
// The same, with the half pass that computes the adjoint; m and S2 receive the marginals.
Gradient fixed_site_gradient(Pass& pass, const Frame& frame, std::span<const Collapsed> collapsed,
                             const Sites& sites, Vector& m, Vector& S2);

}  // namespace induce::detail
