#include "linalg/blas.hpp"

#include <cblas.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

extern "C" {
// OpenBLAS internals, not declared in its headers; absent from other BLAS libraries.
[[gnu::weak]] void* blas_memory_alloc(int);
[[gnu::weak]] void blas_memory_free(void*);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
void dpotri_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
}

// BLAS refuses arrays without rows, which a model without inducing inputs has.
namespace induce::detail::blas {
namespace {

int size(Index n) { return static_cast<int>(n); }

void solve(const Matrix& L, double* V, Index b, CBLAS_TRANSPOSE transpose) {
  const int m = size(L.rows());
  if (m == 0) return;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transpose, CblasNonUnit, m, size(b), 1.0, L.data(), m, V,
              m);
}

constexpr int solver_block = 32;

// V := V - W V without the diagonal blocks of W, for m rows from the diagonal of W on.
void subtract_lower_blocks(const double* W, int m, int stride, double* V, int b) {
  if (m <= solver_block) return;
  const int blocks = (m + solver_block - 1) / solver_block, half = blocks / 2 * solver_block;
  subtract_lower_blocks(W, half, stride, V, b);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m - half, b, half, -1.0, W + half, stride, V, stride,
              1.0, V + half, stride);
  subtract_lower_blocks(W + half + std::ptrdiff_t{half} * stride, m - half, stride, V + half, b);
}

}  // namespace

Matrix solver_of_lower(const Matrix& L) {
  Matrix W = L;
  const int m = size(L.rows());
  for (int k = 0; k < m; k += solver_block) {
    const int rows = std::min(solver_block, m - k);
    W.block(k, k, rows, rows).setIdentity();
    // Not by BLAS: a model is loaded before there are buffers for its calls.
    auto of_block = W.block(k, 0, rows, k + rows);
    L.block(k, k, rows, rows).triangularView<Eigen::Lower>().solveInPlace(of_block);
  }
  return W;
}

void solve_with(const Matrix& W, const double* K, double* V, Index b) {
  const int m = size(W.rows());
  for (int k = 0; k < m; k += solver_block) {
    const int rows = std::min(solver_block, m - k);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, size(b), rows, 1.0, &W(k, k), m, K + k, m,
                0.0, V + k, m);
  }
  subtract_lower_blocks(W.data(), m, m, V, size(b));
}

void solve_lower(const Matrix& L, double* V, Index b) { solve(L, V, b, CblasNoTrans); }
void solve_lower_transposed(const Matrix& L, double* V, Index b) { solve(L, V, b, CblasTrans); }

void add_outer_lower(const double* V, Index m, Index b, double* Q) {
  if (m == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, size(m), size(b), 1.0, V, size(m), 1.0, Q, size(m));
}

void multiply_by_lower(const Matrix& L, bool transposed, double factor, double* A, Index r) {
  if (r == 0) return;
  cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, transposed ? CblasTrans : CblasNoTrans, CblasNonUnit,
              size(r), size(L.rows()), factor, L.data(), size(L.rows()), A, size(r));
}

void multiply(const Matrix& A, const double* V, Index b, double* C) {
  // OpenBLAS computes small products without copying their factors, a third faster for m = 100; for larger m only very
  // narrow ones would be small.
  constexpr Index small_product = 1000000, narrowest = 64;
  const int p = size(A.rows()), m = size(A.cols());
  if (p == 0 || m == 0) return;
  const Index columns = small_product / std::max<Index>(1, A.size()),
              step = columns < narrowest ? b : std::min(b, columns);
  for (Index first = 0; first < b; first += step)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p, size(std::min(step, b - first)), m, 1.0,
                A.data(), p, V + first * m, m, 0.0, C + first * p, p);
}

void add_times_rows(const double* V, Index m, Index b, const double* X, Index d, double* C) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, size(m), size(d), size(b), 1.0, V, size(m), X, size(d),
              1.0, C, size(m));
}

void add_times_vector(const double* V, Index m, Index b, const double* x, double* y) {
  if (m == 0) return;
  cblas_dgemv(CblasColMajor, CblasNoTrans, size(m), size(b), 1.0, V, size(m), x, 1, 1.0, y, 1);
}

void transposed_times_vector(const double* V, Index m, Index b, const double* x, double* y) {
  if (m == 0) {
    std::fill_n(y, b, 0.0);
    return;
  }
  cblas_dgemv(CblasColMajor, CblasTrans, size(m), size(b), 1.0, V, size(m), x, 1, 0.0, y, 1);
}

bool cholesky(Matrix& A) {
  const int m = size(A.rows());
  if (m == 0) return true;  // LAPACK refuses it
  int info = 0;
  dpotrf_("L", &m, A.data(), &m, &info, 1);
  if (info != 0) return false;
  A.triangularView<Eigen::StrictlyUpper>().setZero();
  return A.allFinite();
}

void cholesky_to_inverse(Matrix& L) {
  const int m = size(L.rows());
  if (m == 0) return;
  int info = 0;
  dpotri_("L", &m, L.data(), &m, &info, 1);
  mirror_lower(L);
}

void mirror_lower(Eigen::Ref<Matrix> A) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = j + 1; i < A.rows(); ++i) A(j, i) = A(i, j);
}

namespace {

std::mutex buffers_mutex;
std::size_t buffers_mapped = 0, buffers_in_use = 0;

bool address_space_is_limited() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

Buffers::Buffers(int calls) : calls_(static_cast<std::size_t>(calls)) {
  // Bytes of address space. A newly started thread may allocate its stack and a malloc arena between the
  // probe and the call.
  constexpr std::size_t buffer = (std::size_t{128} << 20) + (std::size_t{64} << 10),
                        thread = std::size_t{144} << 20;
  const std::lock_guard lock(buffers_mutex);
  const std::size_t wanted = buffers_in_use + calls_;
  if (wanted > buffers_mapped && address_space_is_limited()) {
    const std::size_t needed = (wanted - buffers_mapped) * buffer + wanted * thread;
    void* probe = ::mmap(nullptr, needed, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (probe == MAP_FAILED) throw std::bad_alloc();
    std::vector<void*> held(wanted);
    ::munmap(probe, needed);
    if (buffers_in_use == 0 && &blas_memory_alloc &&
        &blas_memory_free) {  // otherwise the free buffers are unknown
      for (void*& at : held) at = blas_memory_alloc(0);
      for (void* at : held) blas_memory_free(at);
      buffers_mapped = wanted;
    }
  }
  buffers_in_use = wanted;
}

Buffers::~Buffers() {
  const std::lock_guard lock(buffers_mutex);
  buffers_in_use -= calls_;
}

void set_threads(int threads) { openblas_set_num_threads(threads); }
int threads() { return openblas_get_num_threads(); }

namespace {
std::mutex single_threaded_mutex;
int single_threaded_holders = 0, threads_before = 1;
}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const std::lock_guard lock(single_threaded_mutex);
  if (single_threaded_holders++ > 0) return;
  threads_before = threads();
  if (threads_before != 1) set_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const std::lock_guard lock(single_threaded_mutex);
  if (--single_threaded_holders == 0 && threads_before != 1) set_threads(threads_before);
}

}  // namespace induce::detail::blas
