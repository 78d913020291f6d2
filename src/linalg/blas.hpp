// All calls to BLAS and LAPACK. Every matrix is column-major and contiguous, so a block of columns of a
// larger array can be passed without a copy.
//
// The library processes blocks of rows on its own threads and needs single-threaded BLAS calls: hold a
// SingleThreadedBlas meanwhile.
#pragma once

#include "linalg/types.hpp"

namespace induce::detail::blas {

// V := L^-1 V and V := L^-T V for lower-triangular L (m x m) and V (m x b).
void solve_lower(const Matrix& L, double* V, Index b);
void solve_lower_transposed(const Matrix& L, double* V, Index b);

// The same for many right-hand sides by matrix products alone, which are fast on every processor (a triangular solve is
// not: OpenBLAS's for AVX-512 has a third of the speed of its products). With L in blocks L_kj, the first line of
//   V_k = L_kk^-1 (K_k - sum_{j<k} L_kj V_j) = W_kk K_k - sum_{j<k} W_kj V_j
// becomes the second with W_kk = L_kk^-1 and W_kj = L_kk^-1 L_kj.
Matrix solver_of_lower(const Matrix& L);                                // W
void solve_with(const Matrix& W, const double* K, double* V, Index b);  // V := L^-1 K, both m x b

// Q += V V' in the lower triangle; V is m x b.
void add_outer_lower(const double* V, Index m, Index b, double* Q);

// A := factor A L, or factor A L' if transposed, for lower-triangular L (k x k) and A (r x k).
void multiply_by_lower(const Matrix& L, bool transposed, double factor, double* A, Index r);

// C := A V with A (p x m), V (m x b).
void multiply(const Matrix& A, const double* V, Index b, double* C);
// C += V X with V (m x b) and X (b x d) row-major.
void add_times_rows(const double* V, Index m, Index b, const double* X, Index d, double* C);
// y += V x, V (m x b);  and y := V' x.
void add_times_vector(const double* V, Index m, Index b, const double* x, double* y);
void transposed_times_vector(const double* V, Index m, Index b, const double* x, double* y);

// Replaces A by its Cholesky factor, reading the lower triangle only and zeroing the strict upper one.
// Returns false, with A overwritten, if A is not numerically positive definite.
bool cholesky(Matrix& A);
// L := (L L')^-1, both triangles.
void cholesky_to_inverse(Matrix& L);
// Copies the lower triangle into the upper one.
void mirror_lower(Eigen::Ref<Matrix> A);

void set_threads(int threads);
int threads();

// Reserves OpenBLAS buffers for `calls` additional concurrent calls during its lifetime. When the address
// space is limited (ulimit -v), OpenBLAS retries a failed buffer mapping forever. This class maps the buffers
// up front or throws bad_alloc.
class Buffers {
 public:
  explicit Buffers(int calls);
  ~Buffers();
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

 private:
  std::size_t calls_;
};

// BLAS uses one thread while any instance exists; the last destructor restores the previous setting. The
// setting is process-wide, so instances are counted.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace induce::detail::blas
