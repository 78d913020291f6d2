// One pass over the rows, in two halves; the m x m algebra of posterior.hpp runs between them.
//
// First half, for each block of rows:   K, V = L^-1 K,   Q += V diag(w) V',   b += V t'.
// Second half:                          K, V,  T = P V = L^-T D V,   m = mean + K'alpha,   S2 = k_ii - diag(K'T),
// both with more for the terms of the kernel, if it has some (posterior.hpp): T = P V - Y H' then,
// and, if the gradient is needed, with g_i = dE/dm_i and s_i = dE/dS2_i of any sum of functions of the
// marginals (for fixed sites g = t - w m, s = -w/2),
//   dE/dk_i = g_i alpha - 2 s_i T_i,      dE/dk_ii = s_i,                                    G (m x b)
// is pulled back through the kernel immediately. No n x m array is needed. Blocks run in parallel, and sums are
// added in a fixed order (rows/reducer.hpp), so results are bitwise the same for any number of threads.
//
// With C latent functions f_c = mean_c + r_c g_c (frame.hpp), K and V serve all of them. Each has its own Q, b and T
// (posterior.hpp), marginals are n x C, row-major, and the adjoint of k_i is the sum over functions,
//   dE/dk_i = sum_c r_c g_ic alpha_c - 2 r_c^2 s_ic T_ic,     dE/dk_ii = sum_c r_c^2 s_ic,
//   dE/dlog r_c = sum_i g_ic (m_ic - mean_c) + 2 s_ic S2_ic,  dE/dmean_c = sum_i g_ic.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/block_cache.hpp"
#include "core/frame.hpp"
#include "core/posterior.hpp"
#include "linalg/blas.hpp"
#include "rows/reducer.hpp"
#include "rows/row_source.hpp"
#include "machine/workers.hpp"
#include "site/site.hpp"
#include "term/term_rows.hpp"

namespace induce::detail {

// Fills g and s for rows [first, first + count) from their marginals. Called concurrently from many threads.
using Response =
    std::function<void(Index first, Index count, const double* m, const double* S2, double* g, double* s)>;

// The same for latent function c: all arrays have one number per row.
using FunctionResponse = std::function<void(Index c, Index first, Index count, const double* m,
                                            const double* S2, double* g, double* s)>;

// The sites of a block of rows: w and t are rows x C, row-major; c is the sum of the constants.
struct SiteBlock {
  const double *w, *t;
  double c;
};
using SitesOfBlock = std::function<SiteBlock(Index first, Index rows, int worker)>;

// What is done with the rows of a second half. Called concurrently, for each block in this order; any may be empty.
struct RowVisitor {
  std::function<void(Index first, Index rows, int worker)> begin{};
  // As in FunctionResponse. Without it there is no adjoint.
  std::function<void(Index c, Index first, Index rows, const double* m, const double* S2, double* g,
                     double* s, int worker)>
      response{};
  // m, S2: rows x C, row-major. Adds to the totals.
  std::function<void(Index first, Index rows, const double* m, const double* S2, int worker, double* totals)>
      end{};
};
constexpr Index row_totals =
    3;  // numbers that a RowVisitor adds up; behind them it may add one for each threshold

// Sums over rows from the second half of a pass.
class RowAdjoint : public RowSum {
 public:
  // `kernel`: size of the kernel's pullback, in doubles; `moments`: include Vg and VsV, for one latent function.
  void clear(Index kernel, Index m, const Prior& prior, bool moments) {
    const Index functions = prior.functions();
    thresholds_ = prior.thresholds.size();
    kernel_ = kernel;
    functions_ = functions;
    m_ = m;
    numbers_.setZero(kernel + 1 + 2 * functions + row_totals + thresholds_ + (moments ? m + m * m : 0));
  }
  double* kernel() { return numbers_.data(); }                                 // PlacedKernel::pull_back
  double& s() { return numbers_[kernel_]; }                                    // dE/dk_ii
  double& g(Index c = 0) { return numbers_[kernel_ + 1 + c]; }                 // dE/dmean_c
  double& r(Index c) { return numbers_[kernel_ + 1 + functions_ + c]; }        // dE/dlog r_c
  double* totals() { return numbers_.data() + kernel_ + 1 + 2 * functions_; }  // the visitor's
  VectorView thresholds() { return {totals() + row_totals, thresholds_}; }
  VectorView Vg() { return {moments(), m_}; }            // m: sum g_i v_i
  MatrixView VsV() { return {moments() + m_, m_, m_}; }  // m x m: sum s_i v_i v_i'

 private:
  double* moments() { return totals() + row_totals + thresholds_; }

  Index kernel_ = 0, functions_ = 1, m_ = 0, thresholds_ = 0;
};

// The moments of a finished sum, from minus the lower triangle of VsV.
void complete_moments(RowAdjoint& total);

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
  // Of the last call that had a frame.
  const Reducer<Sums>& sums() const { return trees_->sums; }
  const Reducer<RowAdjoint>& adjoints() const { return trees_->adjoints; }
  const Reducer<Totals<row_totals>>& totals() const { return trees_->totals; }
  long count() const { return count_; }  // first halves so far: one per pass
  std::size_t kept_bytes() const { return cache_.bytes(); }

  // The results belong to the pass and are valid until the next call. Only the first call allocates. Each block
  // begins with a stop point of the workers; a call that stops there leaves the pass usable.
  Sums& first_half(const Frame& frame, const SitesOfBlock& sites);
  Sums& first_half(const Frame& frame, const Sites& sites);
  // Visits the marginals and returns the visitor's totals.
  Totals<row_totals>& marginals(const Frame& frame, const Posteriors& q, const RowVisitor& visitor);
  void marginals(const Frame& frame, const Posteriors& q, Vector& m, Vector& S2);
  // Like marginals(), plus the adjoint. Its moments, if wanted, are not complete yet (complete_moments).
  RowAdjoint& second_half(const Frame& frame, const Posteriors& q, const RowVisitor& visitor,
                          bool moments = false);
  RowAdjoint& second_half(const Frame& frame, const Posteriors& q, const FunctionResponse& response,
                          Vector& m, Vector& S2);
  // For one latent function; with `moments` also Vg and VsV (all s must then be <= 0).
  RowAdjoint& second_half(const Frame& frame, const Posterior& q, const Response& response, bool moments,
                          Vector& m, Vector& S2);

 private:
  struct Buffers {  // one worker's
    Vector source, kernel;
    Matrix K, V, T, S;
    Matrix G;          // the adjoint, if several functions contribute to it
    Vector row;        // numbers per row: marginals, responses, roots
    Vector marginals;  // means and variances of all functions
    TermRows terms;    // of a chunk of rows
    Vector of_chunk;   // numbers per row and function: w, or h'S h

    // The sums of a first half, at w = root^2; `first`: in the chunk, which has `chunk` rows.
    void add_terms(const double* V, Index m, Index first, Index rows, Index chunk, const double* t,
                   const double* root, Index c, Sums& sum);
  };
  // Blocks that enter the tables of terms together (term/term_rows.hpp), of one leaf of the tree.
  struct Chunk {
    Index first, last;  // blocks
  };
  // Sums over rows in leaves, or in groups of leaves if there are terms, whose sums are large.
  struct Trees {
    Trees(const RowSource& rows, Index m, bool terms, Workers& workers);

    bool of_terms;
    RowTree tree;
    std::vector<Chunk> chunks;  // of each block
    Reducer<Sums> sums;
    Reducer<RowAdjoint> adjoints;
    Reducer<Totals<row_totals>> totals;
  };
  struct Block {  // K and V, cached or in a worker's buffers; read-only
    RowBlock rows;
    const double *K, *V;
  };
  Pass(const DenseRows& own, const RowSource* rows, Index m, Workers& workers, std::size_t memory);
  void reserve(const Frame& frame);
  Block load(const Frame& frame, Index first, Index count, Buffers& work);
  // Where the rows that begin here are in their chunk, and how many it has.
  struct InChunk {
    Index first, rows;
    bool begins, ends;
  };
  InChunk in_chunk(Index first) const;
  // h'S h of all rows of the chunk that begins here.
  void load_chunk(const Frame& frame, const Posteriors& q, Index first, Buffers& work) const;
  // m and S2 of latent function c: one number per row.
  void marginals_of_block(const Frame& frame, const Posterior& q, Index c, const Block& block, Buffers& work,
                          double* m, double* S2) const;
  void add_terms_to_marginals(const Posterior& q, Index c, const Block& block, Buffers& work, double* m,
                              double* S2) const;
  // The marginals of all functions, as rows x C, into the worker's buffer; calls each(c, m, S2) after each function.
  template <class Each>
  void visit_block(const Frame& frame, const Posteriors& q, const Block& block, Buffers& work,
                   const Each& each);

  const blas::SingleThreadedBlas single_;  // for the lifetime of the pass: covers its m x m algebra too
  const blas::Buffers blas_buffers_;
  const DenseRows own_;  // target of rows_ if the pass was given a matrix
  const RowSource* rows_;
  Workers& workers_;
  Index m_;
  RowTree tree_;  // over leaves: its blocks are those of both
  Index block_rows_;
  BlockCache cache_;
  std::vector<Buffers> buffers_;  // per worker
  std::unique_ptr<Trees> trees_;
  long count_ = 0;
};

}  // namespace induce::detail
