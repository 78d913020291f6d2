// Brute-force log evidence of a tiny problem: the oracle that every lower bound must stay below.
//
// log p(y) = log of the integral of prod_i P(y_i f_i) N(f | mu0, K_nn), with sf^2 + sn^2 on the diagonal of K_nn.
// With K_nn = A A' and f = mu0 + A z it is a smooth integral over a standard normal z, computed by a tensor
// trapezoid rule.
#pragma once

#include "support/naive.hpp"

namespace induce::naive {

// For n <= 3. Logistic: the step follows from the poles of sigma at +-i pi, as in gaussian_expectation:
// |A_ij| <= S, so the strip of analyticity in each z_j is at least pi / S wide, and step 0.6 / S leaves a
// relative error near exp(-33).
// Probit: Phi has no poles, but grows like exp(b^2 / 2) at distance b from the real line. At distance b in
// z_j the density and all Phi grow by exp(b^2 (1 + L) / 2) at most, with L = max_j sum_i A_ij^2, the largest
// eigenvalue of K_nn. The rule's error, exp(b^2 (1 + L) / 2 - 2 pi b / step), is smallest at
// b = 2 pi / (step (1 + L)), where it is exp(-2 pi^2 / (step^2 (1 + L))); step 0.75 / sqrt(1 + L) leaves
// exp(-35).
double log_evidence(const Problem& problem);

}  // namespace induce::naive
