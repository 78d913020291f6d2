#include "kernel/squared_exponential.hpp"

#include "kernel/line.hpp"
#include "linalg/multiversion.hpp"
#include "linalg/vector_math.hpp"

namespace induce::detail {
namespace {

INDUCE_MULTIVERSION
void scaled_exp(double* r2, Index count, double variance) {
  for (Index i = 0; i < count; ++i) r2[i] = variance * exp_fast(-0.5 * r2[i]);
}

INDUCE_ALWAYS_INLINE double rho_se(double r) { return exp_fast(-0.5 * (r * r)); }
INDUCE_MULTIVERSION
void add_line_se(double x, const double* z, Index m, double variance, double* K) {
  add_line_of(x, z, m, variance, K, [](double r) INDUCE_INLINE_LAMBDA { return rho_se(r); });
}

}  // namespace

void SquaredExponential::covariance(double* r2, Index count, double variance) const {
  scaled_exp(r2, count, variance);
}

void SquaredExponential::add_line(double x, const double* z, Index m, double variance, double* K) const {
  add_line_se(x, z, m, variance, K);
}

}  // namespace induce::detail
