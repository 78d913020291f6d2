// One pass over the rows: the two halves between which the m x m algebra of posterior.hpp happens.
//
// First half, for each block of rows:   K, V = L^-1 K,   Q += V diag(w) V',   b += V t'.
// Second half:                          K, V,  T = P V = L^-T D V,   m = mean + K'alpha,   S2 = k_ii -
// diag(K'T), and where the gradient is wanted, with g_i = dE/dm_i and s_i = dE/dS2_i of any sum of functions
// of the marginals (for fixed sites g = t - w m, s = -w/2),
//   dE/dk_i = g_i alpha - 2 s_i T_i,      dE/dk_ii = s_i,                                    G (m x b)
// is pulled back through the kernel at once. No n x m array need exist; blocks run over threads, and sums are
// kept per lane and added in order, so every bit is the same for any number of threads.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <induce/table.hpp>

#include "core/frame.hpp"
#include "core/posterior.hpp"
#include "kernel/block.hpp"
#include "linalg/blas.hpp"
#include "rows/lanes.hpp"
#include "rows/workers.hpp"
#include "site/site.hpp"

namespace induce {

// Fills g and s for rows [first, first + count) from their marginals. Runs on many threads at once.
using Response =
    std::function<void(Index first, Index count, const double* m, const double* S2, double* g, double* s)>;

// What the second half leaves behind.
struct RowAdjoint {
  KernelPullback kernel;  // from K_nm
  double g = 0, s = 0;    // sums: dE/dmean, dE/dk_ii
  Vector Vg;              // m: sum g_i v_i       (only with moments)
  Matrix VsV;             // m x m: sum s_i v_i v_i'  (only with moments)
};

class Pass {
 public:
  // X (n x d, in the model's units) is only looked at and must outlive the pass. Up to `memory` bytes go to
  // keeping K and V of the first blocks from one half to the next and from one round of sites to the next,
  // while theta stays: they are then computed once. Kept or not, the bits are the same.
  Pass(TableView X, Index m, Workers& workers, std::size_t memory = 0);
  Pass(const RowMatrix& X, Index m, Workers& workers, std::size_t memory = 0);

  Index n() const { return lanes_.n; }
  Index d() const { return static_cast<Index>(X_.d); }
  Index m() const { return m_; }
  Workers& workers() { return workers_; }
  long count() const { return count_; }  // first halves so far: one per pass
  std::size_t kept_bytes() const;        // of K and V

  // The results belong to the pass and stay until the next call. Nothing is allocated after the first. Each
  // block begins with a stop point of the workers; a call that is ended there leaves the pass as good as new.
  const Sums& first_half(const Frame& frame, const Sites& sites);
  void marginals(const Frame& frame, const Posterior& q, Vector& m, Vector& S2);
  // As marginals, and the adjoint; `moments` asks for Vg and VsV too (all s must then be <= 0).
  const RowAdjoint& second_half(const Frame& frame, const Posterior& q, const Response& response,
                                bool moments, Vector& m, Vector& S2);

 private:
  struct Buffers {  // of one worker
    RowMatrix X_s;
    Matrix K, V, T, S;
    Vector row;
  };
  struct Block {  // K and V, kept or in a worker's buffers; not to be changed
    const double *K, *V;
  };
  Block load(const Frame& frame, Index first, Index rows, Buffers& work);
  void marginals_of_block(const Frame& frame, const Posterior& q, const Block& block, Index rows,
                          Buffers& work, double* m, double* S2) const;

  const blas::SingleThreadedBlas
      one_thread_per_block_;  // for as long as the pass lives: its m x m algebra too
  const blas::Buffers for_each_worker_;
  TableView X_;
  Workers& workers_;
  Index m_;
  Lanes lanes_;
  std::vector<Buffers> buffers_;      // per worker
  std::vector<Sums> sums_;            // per lane
  std::vector<RowAdjoint> adjoints_;  // per lane
  Sums total_;
  RowAdjoint total_adjoint_;
  Index kept_blocks_ = 0;
  std::unique_ptr<double[]> kept_;  // K then V of each kept block
  std::vector<long> kept_ids_;      // the frame they belong to
  long count_ = 0;
};

}  // namespace induce
