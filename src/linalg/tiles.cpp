#include "linalg/tiles.hpp"

#include <cblas.h>

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
void dtrtri_(const char* uplo, const char* diag, const int* n, double* a, const int* lda, int* info,
             std::size_t, std::size_t);
}

namespace induce::detail::tiles {
namespace {

int number(Index n) { return static_cast<int>(n); }

}  // namespace

bool cholesky(double* A, Index size, Index stride) {
  const int n = number(size), lda = number(stride);
  int info = 0;
  dpotrf_("L", &n, A, &lda, &info, 1);
  return info == 0;
}

void solve_right(const double* L, Index size, double* A, Index rows, Index stride) {
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, number(rows), number(size),
              1.0, L, number(stride), A, number(stride));
}

void subtract_product(const double* A, const double* B, Index rows, Index columns, Index depth, double* C,
                      Index stride) {
  const int s = number(stride);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, number(rows), number(columns), number(depth), -1.0, A,
              s, B, s, 1.0, C, s);
}

void invert_lower(double* L, Index size, Index stride) {
  const int n = number(size), lda = number(stride);
  int info = 0;
  dtrtri_("L", "N", &n, L, &lda, &info, 1, 1);
}

void minus_product(const double* A, const double* B, Index rows, Index columns, Index depth, Index stride,
                   double* C) {
  const int s = number(stride);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, number(rows), number(columns), number(depth), -1.0,
              A, s, B, s, 0.0, C, s);
}

void multiply_right(const double* L, Index size, double* A, Index rows, Index stride) {
  cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, number(rows), number(size),
              1.0, L, number(stride), A, number(stride));
}

void minus_inner_product(const double* A, const double* B, Index rows, Index columns, Index depth,
                         Index stride, double* C) {
  const int s = number(stride);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, number(rows), number(columns), number(depth), -1.0, A,
              s, B, s, 0.0, C, s);
}

}  // namespace induce::detail::tiles
