// Cholesky factor of a covariance matrix that may be singular to working precision.
//
// Jitter lowers the evidence proportionally (measured on cod-rna, relative to sigma_f^2: 1e-8 costs 0.02
// nats, 1e-4 costs 80). So the jitter starts at a value chosen by the caller, grows by factors of 100 only
// when the factorisation fails, and is reported.
#pragma once

#include "linalg/types.hpp"

namespace induce::detail {

struct JitteredCholesky {
  Matrix L;           // lower triangular, L L' = K + jitter * scale * I
  double jitter = 0;  // relative to scale
  bool ok = false;    // false: last_jitter was not enough, or K is not finite
};

// The initial jitter of a fit. Small compared to the noise floor, large compared to rounding of K (1e-16).
inline constexpr double first_jitter = 1e-10;
inline constexpr double last_jitter = 1e-2;

JitteredCholesky jittered_cholesky(const Matrix& K, double scale, double first = first_jitter);

}  // namespace induce::detail
