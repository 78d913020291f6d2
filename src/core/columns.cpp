#include "core/columns.hpp"

#include "linalg/multiversion.hpp"

namespace induce::columns {

INDUCE_MULTIVERSION
void scale(const double* V, Index m, Index b, const double* factor, double* out) {
  for (Index i = 0; i < b; ++i)
    for (Index j = 0; j < m; ++j) out[i * m + j] = V[i * m + j] * factor[i];
}

INDUCE_MULTIVERSION
void scale(const float* V, Index m, Index b, const double* factor, float* out) {
  for (Index i = 0; i < b; ++i) {
    const float f = static_cast<float>(factor[i]);
    for (Index j = 0; j < m; ++j) out[i * m + j] = V[i * m + j] * f;
  }
}

INDUCE_MULTIVERSION
void dots(const double* A, const double* B, Index m, Index b, double* out) {
  for (Index i = 0; i < b; ++i) {
    const double *x = A + i * m, *y = B + i * m;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < m; ++j) sum += x[j] * y[j];
    out[i] = sum;
  }
}

void squared_norms(const double* A, Index m, Index b, double* out) { dots(A, A, m, b, out); }

INDUCE_MULTIVERSION
void squared_norms(const float* A, Index m, Index b, double* out) {
  for (Index i = 0; i < b; ++i) {
    const float* x = A + i * m;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < m; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(x[j]);
    out[i] = sum;
  }
}

INDUCE_MULTIVERSION
void add_times_vector(const float* V, Index m, Index b, const double* x, double* y) {
  for (Index i = 0; i < b; ++i) {
    const float* v = V + i * m;
    const double xi = x[i];
    for (Index j = 0; j < m; ++j) y[j] += xi * static_cast<double>(v[j]);
  }
}

INDUCE_MULTIVERSION
void adjoint(const double* T, Index m, Index b, const double* alpha, const double* g, const double* s,
             double* G) {
  for (Index i = 0; i < b; ++i) {
    const double* t = T + i * m;
    double* out = G + i * m;
    const double gi = g[i], si = -2 * s[i];
    for (Index j = 0; j < m; ++j) out[j] = gi * alpha[j] + si * t[j];
  }
}

INDUCE_MULTIVERSION
void adjoint(const float* T, Index m, Index b, const double* alpha, const double* g, const double* s,
             double* G) {
  for (Index i = 0; i < b; ++i) {
    const float* t = T + i * m;
    double* out = G + i * m;
    const double gi = g[i], si = -2 * s[i];
    for (Index j = 0; j < m; ++j) out[j] = gi * alpha[j] + si * static_cast<double>(t[j]);
  }
}

INDUCE_MULTIVERSION
void to_single(const double* V, Index count, float* out) {
  for (Index i = 0; i < count; ++i) out[i] = static_cast<float>(V[i]);
}

INDUCE_MULTIVERSION
void add_lower(const float* R, Index m, double* Q) {
  for (Index j = 0; j < m; ++j)
    for (Index i = j; i < m; ++i) Q[j * m + i] += static_cast<double>(R[j * m + i]);
}

}  // namespace induce::columns
