// Cholesky factor of a covariance matrix that may be singular to working precision.
//
// Jitter is not free: it costs evidence in proportion (measured on cod-rna, relative to sigma_f^2:
// 1e-8 costs 0.02 nats, 1e-4 costs 80). So the ladder starts where it is told to, climbs by factors of
// 100 only when the factorisation fails, and reports the rung it used.
#pragma once

#include "linalg/types.hpp"

namespace induce {

struct JitteredCholesky {
  Matrix L;           // lower triangular, L L' = K + jitter * scale * I
  double jitter = 0;  // relative to scale
  bool ok = false;    // false: not even the last rung was enough, or K is not finite
};

// The first rung a fit uses. Small against the noise floor, large against rounding of K (1e-16).
inline constexpr double first_jitter = 1e-10;
inline constexpr double last_jitter = 1e-2;

JitteredCholesky jittered_cholesky(const Matrix& K, double scale, double first = first_jitter);

}  // namespace induce
