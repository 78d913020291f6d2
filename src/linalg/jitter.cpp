#include "linalg/jitter.hpp"

#include <algorithm>

#include "linalg/blas.hpp"

namespace induce::detail {

JitteredCholesky jittered_cholesky(const Matrix& K, double scale, double first) {
  JitteredCholesky result;
  if (!K.allFinite()) return result;
  for (double jitter = first; jitter <= last_jitter; jitter = std::max(100 * jitter, first_jitter)) {
    result.L = K;
    result.L.diagonal().array() += jitter * scale;
    if (blas::cholesky(result.L)) {
      result.jitter = jitter;
      result.ok = true;
      break;
    }
  }
  return result;
}

}  // namespace induce::detail
