#include "core/pass.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"

namespace induce {
namespace {

INDUCE_MULTIVERSION
void scale_columns(const double* V, Index m, Index b, const double* factor, double* out) {
  for (Index i = 0; i < b; ++i)
    for (Index j = 0; j < m; ++j) out[i * m + j] = V[i * m + j] * factor[i];
}

INDUCE_MULTIVERSION
void column_dots(const double* A, const double* B, Index m, Index b, double* out) {
  for (Index i = 0; i < b; ++i) {
    const double *x = A + i * m, *y = B + i * m;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < m; ++j) sum += x[j] * y[j];
    out[i] = sum;
  }
}

// T_i := g_i alpha - 2 s_i T_i
INDUCE_MULTIVERSION
void adjoint_columns(double* T, Index m, Index b, const double* alpha, const double* g, const double* s) {
  for (Index i = 0; i < b; ++i) {
    double* t = T + i * m;
    const double gi = g[i], si = -2 * s[i];
    for (Index j = 0; j < m; ++j) t[j] = gi * alpha[j] + si * t[j];
  }
}

}  // namespace

Pass::Pass(const RowSource& rows, Index m, Workers& workers, std::size_t memory)
    : Pass(DenseRows(TableView{}), &rows, m, workers, memory) {}

Pass::Pass(const RowMatrix& X, Index m, Workers& workers, std::size_t memory)
    : Pass(DenseRows(X), nullptr, m, workers, memory) {}

Pass::Pass(const DenseRows& own, const RowSource* rows, Index m, Workers& workers, std::size_t memory)
    : blas_buffers_(workers.size()),
      own_(own),
      rows_(rows ? rows : &own_),
      workers_(workers),
      m_(m),
      blocks_(Blocks::fit_cache(rows_->n(), m)),
      cache_(blocks_, m, memory),
      buffers_(workers.size()),
      sums_(blocks_, workers),
      adjoints_(blocks_, workers) {
  for (Buffers& work : buffers_) {
    work.source.resize(rows_->buffer(blocks_.size));
    for (Matrix* buffer : {&work.K, &work.V, &work.T, &work.S}) buffer->resize(m, blocks_.size);
    work.row.resize(3 * blocks_.size);
  }
}

void Pass::reserve(const Frame& frame) {
  const Index size = frame.placed->workspace(blocks_.size);
  for (Buffers& work : buffers_)
    if (work.kernel.size() < size) work.kernel.resize(size);
}

Pass::Block Pass::load(const Frame& frame, Index first, Index count, Buffers& work) {
  const RowBlock rows = rows_->block(first, count, work.source.data());
  frame.placed->load(rows, work.kernel.data());
  const Index number = first / blocks_.size;
  const bool keep = cache_.keeps(number);
  double* K = keep ? cache_.K(number) : work.K.data();
  double* V = keep ? cache_.V(number) : work.V.data();
  if (!keep || !cache_.holds(number, frame.id)) {
    frame.placed->covariance(rows, work.kernel.data(), K);  // m x b
    blas::solve_with(frame.W, K, V, count);                 // V = L^-1 K, m x b
    if (keep) cache_.filled(number, frame.id);
  }
  return {rows, K, V};
}

Sums& Pass::first_half(const Frame& frame, const Sites& sites) {
  reserve(frame);
  const double mean = frame.mean();
  Sums& total =
      sums_.add_up([&](Sums& sum) { sum.clear(m_); },
                   [&](Index first, Index rows, int worker, Sums& sum) {
                     Buffers& work = buffers_[worker];
                     const Block block = load(frame, first, rows, work);
                     double *shifted = work.row.data(), *root = shifted + rows;
                     for (Index i = 0; i < rows; ++i) {
                       const double w = sites.w[first + i], t = sites.t[first + i];
                       shifted[i] = t - w * mean;
                       root[i] = std::sqrt(w);
                       sum.w() += w;
                       sum.c() += sites.c[first + i] + (t - w * mean / 2) * mean;
                     }
                     blas::add_times_vector(block.V, m_, rows, shifted, sum.b().data());  // b += V t'
                     scale_columns(block.V, m_, rows, root, work.T.data());
                     blas::add_outer_lower(work.T.data(), m_, rows, sum.Q().data());  // Q += V diag(w) V'
                   });
  ++count_;
  return total;
}

void Pass::marginals_of_block(const Frame& frame, const Posterior& q, const Block& block, Buffers& work,
                              double* m, double* S2) const {
  const Index rows = block.rows.rows;
  blas::multiply(q.P, block.V, rows, work.T.data());                    // T = P V, m x b
  blas::transposed_times_vector(block.K, m_, rows, q.alpha.data(), m);  // K'alpha
  column_dots(block.K, work.T.data(), m_, rows, S2);                    // diag(K'T)
  const double k_ii = frame.placed->diagonal();
  for (Index i = 0; i < rows; ++i) {
    m[i] += frame.mean();
    S2[i] = std::max(k_ii - S2[i], 0.0);  // rounding can make it slightly negative where q is certain
  }
}

void Pass::marginals(const Frame& frame, const Posterior& q, Vector& m, Vector& S2) {
  reserve(frame);
  m.resize(n());
  S2.resize(n());
  for_each_block(blocks_, workers_, [&](Index first, Index rows, int worker) {
    const Block block = load(frame, first, rows, buffers_[worker]);
    marginals_of_block(frame, q, block, buffers_[worker], m.data() + first, S2.data() + first);
  });
}

RowAdjoint& Pass::second_half(const Frame& frame, const Posterior& q, const Response& response, bool moments,
                              Vector& m, Vector& S2) {
  reserve(frame);
  m.resize(n());
  S2.resize(n());
  RowAdjoint& total = adjoints_.add_up(
      [&](RowAdjoint& sum) { sum.clear(frame.placed->pullback_size(), m_, moments); },
      [&](Index first, Index rows, int worker, RowAdjoint& sum) {
        Buffers& work = buffers_[worker];
        const Block block = load(frame, first, rows, work);
        marginals_of_block(frame, q, block, work, m.data() + first, S2.data() + first);
        double *g = work.row.data(), *s = g + rows, *root = s + rows;
        response(first, rows, m.data() + first, S2.data() + first, g, s);
        for (Index i = 0; i < rows; ++i) {
          sum.g() += g[i];
          sum.s() += s[i];
        }
        if (moments) {
          blas::add_times_vector(block.V, m_, rows, g, sum.Vg().data());
          for (Index i = 0; i < rows; ++i) root[i] = std::sqrt(-s[i]);
          scale_columns(block.V, m_, rows, root, work.S.data());
          blas::add_outer_lower(work.S.data(), m_, rows, sum.VsV().data());  // minus sum s v v'
        }
        adjoint_columns(work.T.data(), m_, rows, q.alpha.data(), g, s);  // G, m x b
        frame.placed->pull_back(block.rows, work.kernel.data(), block.K, work.T.data(), work.S.data(),
                                sum.kernel());
      });
  if (moments) {
    total.VsV() *= -1;
    blas::mirror_lower(total.VsV());
  }
  return total;
}

}  // namespace induce
