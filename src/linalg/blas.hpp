// The one place that calls BLAS and LAPACK. Every matrix is column-major with its own leading
// dimension, so that a block of columns of a larger array can be passed without a copy.
//
// The library runs blocks of rows over its own threads and wants one BLAS thread per call: hold a
// SingleThreadedBlas while doing so.
#pragma once

#include "linalg/types.hpp"

namespace induce::blas {

// V := L^-1 V and V := L^-T V for lower-triangular L (m x m) and V (m x b).
void solve_lower(const Matrix& L, double* V, Index b);
void solve_lower_transposed(const Matrix& L, double* V, Index b);

// Q += V V' in the lower triangle; V is m x b.
void add_outer_lower(const double* V, Index m, Index b, double* Q);

// C := A V, C += A V with A (p x m), V (m x b).
void multiply(const Matrix& A, const double* V, Index b, double* C);
// C += V X with V (m x b) and X (b x d) row-major.
void add_times_rows(const double* V, Index m, Index b, const double* X, Index d, double* C);
// y += V x, V (m x b);  and y := V' x.
void add_times_vector(const double* V, Index m, Index b, const double* x, double* y);
void transposed_times_vector(const double* V, Index m, Index b, const double* x, double* y);

// Cholesky factor of the lower triangle of A in place, strict upper triangle zeroed; false if A is not
// numerically positive definite (A is then spoiled).
bool cholesky(Matrix& A);
// L := (L L')^-1, both triangles.
void cholesky_to_inverse(Matrix& L);
// Copies the lower triangle into the upper one.
void mirror_lower(Eigen::Ref<Matrix> A);

void set_threads(int threads);
int threads();

// While one of these lives, `calls` calls at a time more may be made. Where the address space is limited
// (ulimit -v) OpenBLAS would try for ever to map a buffer that it cannot have: this maps them now, or throws
// bad_alloc.
class Buffers {
 public:
  explicit Buffers(int calls);
  ~Buffers();
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

 private:
  std::size_t calls_;
};

// While any of these lives, BLAS uses one thread; the last one to go restores what was. The setting belongs
// to the whole process, so they are counted.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace induce::blas
