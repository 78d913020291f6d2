// One pass over the rows, in two halves; the m x m algebra of posterior.hpp runs between them.
//
// First half, for each block of rows:   K, V = L^-1 K,   Q += V diag(w) V',   b += V t'.
// Second half:                          K, V,  T = P V = L^-T D V,   m = mean + K'alpha,   S2 = k_ii - diag(K'T),
// and, if the gradient is needed, with g_i = dE/dm_i and s_i = dE/dS2_i of any sum of functions of the
// marginals (for fixed sites g = t - w m, s = -w/2),
//   dE/dk_i = g_i alpha - 2 s_i T_i,      dE/dk_ii = s_i,                                    G (m x b)
// is pulled back through the kernel immediately. No n x m array is needed. Blocks run in parallel, and sums are
// added in a fixed order (rows/reducer.hpp), so results are bitwise the same for any number of threads.
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

class Pass {
 public:
  // The rows, in the model's units, are not copied and must outlive the pass. Up to `memory` bytes are used to
  // cache K and V of the first blocks.
  Pass(const RowSource& rows, Index m, Workers& workers, std::size_t memory = 0);
  Pass(const RowMatrix& X, Index m, Workers& workers, std::size_t memory = 0);
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  Index n() const { return rows_->n(); }
  Index d() const { return rows_->d(); }
  Index m() const { return m_; }
  Workers& workers() { return workers_; }
  long count() const { return count_; }  // first halves so far: one per pass
  std::size_t kept_bytes() const { return cache_.bytes(); }

  // The results belong to the pass and are valid until the next call. Only the first call allocates. Each block
  // begins with a stop point of the workers; a call that stops there leaves the pass usable.
  Sums& first_half(const Frame& frame, const Sites& sites);
  void marginals(const Frame& frame, const Posterior& q, Vector& m, Vector& S2);
  // Like marginals(), plus the adjoint; with `moments` also Vg and VsV (all s must then be <= 0).
  RowAdjoint& second_half(const Frame& frame, const Posterior& q, const Response& response, bool moments,
                          Vector& m, Vector& S2);

 private:
  struct Buffers {  // of one worker
    Vector source, kernel;
    Matrix K, V, T, S;
    Vector row;
  };
  struct Block {  // K and V, cached or in a worker's buffers; read-only
    RowBlock rows;
    const double *K, *V;
  };
  Pass(const DenseRows& own, const RowSource* rows, Index m, Workers& workers, std::size_t memory);
  void reserve(const Frame& frame);
  Block load(const Frame& frame, Index first, Index count, Buffers& work);
  void marginals_of_block(const Frame& frame, const Posterior& q, const Block& block, Buffers& work,
                          double* m, double* S2) const;

  const blas::SingleThreadedBlas single_;  // for the lifetime of the pass: covers its m x m algebra too
  const blas::Buffers blas_buffers_;
  const DenseRows own_;  // target of rows_ if the pass was given a matrix
  const RowSource* rows_;
  Workers& workers_;
  Index m_;
  Blocks blocks_;
  BlockCache cache_;
  std::vector<Buffers> buffers_;  // per worker
  Reducer<Sums> sums_;
  Reducer<RowAdjoint> adjoints_;
  long count_ = 0;
};

}  // namespace induce
