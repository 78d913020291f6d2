// A tighter trace term for a Gaussian lower bound.
//
// With sites that bound log p from below by quadratics (Jaakkola-Jordan), q(f | u) need not be p(f | u). Take
//   q(f | u) = N(K_nm K_mm^-1 u, M),   M = Lambda^-1/2 R diag(v) R Lambda^-1/2,
//   R = (Lambda^1/2 K~ Lambda^1/2)^1/2,   v_i = 1/(1 + 2 lambda_i k~_ii),   Lambda = diag(lambda).
// Then tr(Lambda M) = tr(R diag(v) R) = sum lambda_i k~_ii v_i, and with log |M K~^-1| = sum log v_i and
// tr(K~^-1 M) = sum v_i (K~^-1 = Lambda^1/2 R^-2 Lambda^1/2) the penalty for the residual becomes
//   sum lambda_i k~_ii v_i + KL = sum (2 lambda_i k~_ii v_i + v_i - 1 - log v_i)/2
//                               = sum log(1 + 2 lambda_i k~_ii)/2      instead of      sum lambda_i k~_ii,
// which is never larger, since log(1 + x) <= x. With w_i = 2 lambda_i and row weight c_i, the bound gains
//   G = sum w_i k~_ii/2 - c_i log(1 + w_i k~_ii/c_i)/2 >= 0,       dG/dk~_ii = (w_i/2)(1 - v_i).
// As a function of lambda, -log(1 + 2 lambda k~)/2 lies above its tangent, whose slope is -k~ v. The sites are
// therefore refreshed from the variance with k~_ii v_i instead of k~_ii, and no refresh lowers the bound.
#pragma once

#include "core/gradient.hpp"

namespace induce::detail {

// v_i, for the residual k~_ii.
double tight_shrink(double w, double weight, double residual);
// The term of a row in G, and its derivative with respect to the residual, which is never negative.
double tight_gain(double w, double weight, double residual);
double tight_gain_slope(double w, double weight, double residual);
// The variance from which the site is refreshed.
double tight_variance(double w, double weight, double residual, double S2);

// dG with respect to theta, mean and Z, from the adjoint of -G with its moments, at a certain posterior: a pass requires
// decreasing functions of the variance.
Gradient tight_gain_gradient(const Frame& frame, RowAdjoint& of_minus_gain);

}  // namespace induce::detail
