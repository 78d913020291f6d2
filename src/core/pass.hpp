// One pass over the rows: the two halves between which the m x m algebra of posterior.hpp happens.
//
// First half, for each block of rows:   K, V = L^-1 K,   Q += V diag(w) V',   b += V t'.
// Second half:                          K, V,  T = P V = L^-T D V,   m = mean + K'alpha,   S2 = k_ii - diag(K'T),
// and where the gradient is wanted, with g_i = dE/dm_i and s_i = dE/dS2_i of any sum of functions of the
// marginals (for fixed sites g = t - w m, s = -w/2),
//   dE/dk_i = g_i alpha - 2 s_i T_i,      dE/dk_ii = s_i,                                    G (m x b)
// is pulled back through the kernel at once. No n x m array need exist; blocks run over threads, and sums are
// added in a fixed order (rows/reducer.hpp), so every bit is the same for any number of threads.
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

// Fills g and s for rows [first, first + count) from their marginals. Runs on many threads at once.
using Response =
    std::function<void(Index first, Index count, const double* m, const double* S2, double* g, double* s)>;

// What the rows leave behind in the second half of a pass.
class RowAdjoint : public RowSum {
 public:
  // `kernel`: doubles of its pullback; `moments`: with Vg and VsV.
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
  // The rows, in the model's units, are only looked at and must outlive the pass. Up to `memory` bytes go to
  // keeping K and V of the first blocks.
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

  // The results belong to the pass and stay until the next call. Nothing is allocated after the first. Each
  // block begins with a stop point of the workers; a call that is ended there leaves the pass as good as new.
  Sums& first_half(const Frame& frame, const Sites& sites);
  void marginals(const Frame& frame, const Posterior& q, Vector& m, Vector& S2);
  // As marginals, and the adjoint; `moments` asks for Vg and VsV too (all s must then be <= 0).
  RowAdjoint& second_half(const Frame& frame, const Posterior& q, const Response& response, bool moments,
                          Vector& m, Vector& S2);

 private:
  struct Buffers {  // of one worker
    Vector source, kernel;
    Matrix K, V, T, S;
    Vector row;
  };
  struct Block {  // K and V, kept or in a worker's buffers; not to be changed
    RowBlock rows;
    const double *K, *V;
  };
  Pass(DenseRows own, const RowSource* rows, Index m, Workers& workers, std::size_t memory);
  void reserve(const Frame& frame);
  Block load(const Frame& frame, Index first, Index rows, Buffers& work);
  void marginals_of_block(const Frame& frame, const Posterior& q, const Block& block, Buffers& work,
                          double* m, double* S2) const;

  const blas::SingleThreadedBlas
      one_thread_per_block_;  // for as long as the pass lives: its m x m algebra too
  const blas::Buffers for_each_worker_;
  const DenseRows own_;  // what rows_ points to if the pass was given a matrix
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
