// One pass over the rows, in two halves; the m x m algebra of posterior.hpp runs between them.
//
// First half, for each block of rows:   K, V = L^-1 K,   Q += V diag(w) V',   b += V t'.
// Second half:                          K, V,  T = P V = L^-T D V,   m = mean + K'alpha,   S2 = k_ii - diag(K'T),
// and, if the gradient is needed, with g_i = dE/dm_i and s_i = dE/dS2_i of any sum of functions of the
// marginals (for fixed sites g = t - w m, s = -w/2),
//   dE/dk_i = g_i alpha - 2 s_i T_i,      dE/dk_ii = s_i,                                    G (m x b)
// is pulled back through the kernel immediately. No n x m array is needed. Blocks run in parallel, and sums are
// added in a fixed order (rows/reducer.hpp), so results are bitwise the same for any number of threads.
//
// For q at its optimum the second half can also be taken apart (train/profiled_bound.cpp):
//   variances()    S2 = (k_ii - |v|^2) + |L_B^-1 v|^2,  half the work of P V and free of cancellation
//   sweep()        f = K'x and K g(f): m alone, and products with V or V' (V = L^-1 K), at n m instead of n m^2
//   adjoint()      T = P V and the pullback of G for given g and s
//
// Mixed precision. V is rounded to single precision, u = 6e-8, after whitening, and the products of order n m^2
// that use it (Q, L_B^-1 V, P V) run in single precision within a block; blocks are added in double. K, L, V before
// rounding, |v|^2, the m x m algebra, m and all sums over blocks stay double. What it costs:
//   Q      |dQ_jk| <= about u sum_i w_i |v_ij v_ik|: q is the optimum of slightly different data. The value of a
//          bound that is computed from q itself (KL and marginals) changes by the square of that.
//   S2     |L_B^-1| <= 1, so y = L_B^-1 v has an error of about u |v| and S2 of 2 u |v| |y| <= 2 u sqrt(k_ii S2):
//          relative to S2 u sqrt(k_ii/S2). The form k_ii - v'D v has u k_ii, and k_ii - k'(P v) u k_ii cond(L).
//   T      P = L^-T D has large entries that cancel: an error of about u cond(L) |T|. T enters only the gradient,
//          as a sum over all rows, where the errors of the rows are independent. Measured in docs/decisions.md.
#pragma once

#include <functional>
#include <vector>

#include "core/block_cache.hpp"
#include "core/frame.hpp"
#include "core/posterior.hpp"
#include "linalg/blas.hpp"
#include "rows/reducer.hpp"
#include "rows/row_source.hpp"
#include "rows/workers.hpp"
#include "site/site.hpp"

namespace induce {

// Fills g and s for rows [first, first + count) from their marginals. Called concurrently from many threads.
using Response =
    std::function<void(Index first, Index count, const double* m, const double* S2, double* g, double* s)>;

// Sums over rows from the second half of a pass.
class RowAdjoint : public RowSum {
 public:
  // `kernel`: size of the kernel's pullback, in doubles; `moments`: include Vg and VsV.
  void clear(Index kernel, Index m, bool moments) {
    kernel_ = kernel;
    m_ = m;
    numbers_.setZero(kernel + 2 + (moments ? m + m * m : 0));
  }
  double* kernel() { return numbers_.data(); }                               // PlacedKernel::pull_back
  double& g() { return numbers_[kernel_]; }                                  // sum g_i: dE/dmean
  double& s() { return numbers_[kernel_ + 1]; }                              // sum s_i: dE/dk_ii
  VectorView Vg() { return {numbers_.data() + kernel_ + 2, m_}; }            // m: sum g_i v_i
  MatrixView VsV() { return {numbers_.data() + kernel_ + 2 + m_, m_, m_}; }  // m x m: sum s_i v_i v_i'

 private:
  Index kernel_ = 0, m_ = 0;
};

// The sums of a sweep: K g, and a total of the caller's.
class Projection : public RowSum {
 public:
  void clear(Index m) { numbers_.setZero(m + 1); }
  VectorView Kg() { return {numbers_.data(), numbers_.size() - 1}; }  // m
  double& total() { return numbers_[numbers_.size() - 1]; }
};

// Fills g for rows [first, first + count) from f = K'x of these rows; what it returns is added up. Called
// concurrently from many threads.
using SweepResponse = std::function<double(Index first, Index count, const double* f, double* g)>;

class Pass {
 public:
  // The rows, in the model's units, are not copied and must outlive the pass. Up to `memory` bytes are used to
  // cache K and V of the first blocks.
  Pass(const RowSource& rows, Index m, Workers& workers, std::size_t memory = 0,
       Precision precision = Precision::full);
  Pass(const RowMatrix& X, Index m, Workers& workers, std::size_t memory = 0,
       Precision precision = Precision::full);
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  Index n() const { return rows_->n(); }
  Index d() const { return rows_->d(); }
  Index m() const { return m_; }
  Workers& workers() { return workers_; }
  Precision precision() const { return precision_; }
  long count() const { return count_; }  // first halves so far: one per pass
  std::size_t kept_bytes() const { return cache_.bytes(); }

  // The results belong to the pass and are valid until the next call. Only the first call allocates. Each block
  // begins with a stop point of the workers; a call that stops there leaves the pass usable.
  Sums& first_half(const Frame& frame, const Sites& sites);
  // Full precision only, for any q.
  void marginals(const Frame& frame, const Posterior& q, Vector& m, Vector& S2);
  // Like marginals(), plus the adjoint; with `moments` also Vg and VsV (all s must then be <= 0).
  RowAdjoint& second_half(const Frame& frame, const Posterior& q, const Response& response, bool moments,
                          Vector& m, Vector& S2);

  // In either precision. The variances of a q with C = (L_B L_B')^-1:
  void variances(const Frame& frame, const Matrix& L_B, Vector& S2);
  // f = K'x of each block is passed on to `response`. Needs K only.
  Projection& sweep(const Frame& frame, const Vector& x, const SweepResponse& response);
  // The adjoint for given g and s (n each), without moments.
  RowAdjoint& adjoint(const Frame& frame, const Posterior& q, const Vector& g, const Vector& s);

 private:
  struct Buffers {  // of one worker
    Vector source, kernel;
    Matrix K, V, T, S;
    FloatMatrix V_single, T_single, Q_single;  // of mixed precision
    Vector row;
  };
  struct Block {  // K and V, cached or in a worker's buffers; read-only
    RowBlock rows;
    const double *K, *V;    // V: full precision only
    const float* V_single;  // mixed only
  };
  Pass(const DenseRows& own, const RowSource* rows, Index m, Workers& workers, std::size_t memory,
       Precision precision);
  bool full() const { return precision_ == Precision::full; }
  void require_full() const;
  void reserve(const Frame& frame);
  Block load(const Frame& frame, Index first, Index count, Buffers& work);
  const double* load_K(const Frame& frame, Index first, Index count, Buffers& work);
  void add_to_sums(const Block& block, const double* t, const double* root, Buffers& work, Sums& sum) const;
  void marginals_of_block(const Frame& frame, const Posterior& q, const Block& block, Buffers& work,
                          double* m, double* S2) const;

  const blas::SingleThreadedBlas single_;  // for the lifetime of the pass: covers its m x m algebra too
  const blas::Buffers blas_buffers_;
  const DenseRows own_;  // target of rows_ if the pass was given a matrix
  const RowSource* rows_;
  Workers& workers_;
  Index m_;
  Precision precision_;
  Blocks blocks_;
  BlockCache cache_;
  std::vector<Buffers> buffers_;  // per worker
  Reducer<Sums> sums_;
  Reducer<RowAdjoint> adjoints_;
  Reducer<Projection> projections_;
  Vector squared_norms_;  // n: |v|^2 from V in double, kept in mixed precision
  Matrix W_;              // m x m, L_B^-1
  FloatMatrix m_by_m_;    // W_ or P in single precision
  long count_ = 0;
};

}  // namespace induce
