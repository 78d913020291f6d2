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

namespace induce {

struct TightTrace {
  Vector residual;  // n: k~_ii
  double gain = 0;  // G
};

// Costs half a pass.
TightTrace tight_trace(Pass& pass, const Frame& frame, const Sites& sites, const Vector& weight);

// dG with respect to theta, mean and Z. Costs half a pass.
Gradient tight_trace_gradient(Pass& pass, const Frame& frame, const Sites& sites, const Vector& weight);

// The variances from which the sites are refreshed.
Vector tight_variances(const TightTrace& trace, const Sites& sites, const Vector& weight, const Vector& S2);

}  // namespace induce
