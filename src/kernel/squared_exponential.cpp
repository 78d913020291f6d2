#include "kernel/squared_exponential.hpp"

#include "linalg/multiversion.hpp"
#include "linalg/vector_math.hpp"

namespace induce {
namespace {

INDUCE_MULTIVERSION
void scaled_exp(double* r2, Index count, double variance) {
  for (Index i = 0; i < count; ++i) r2[i] = variance * exp_fast(-0.5 * r2[i]);
}

}  // namespace

void SquaredExponential::covariance(double* r2, Index count, double variance) const {
  scaled_exp(r2, count, variance);
}

}  // namespace induce
