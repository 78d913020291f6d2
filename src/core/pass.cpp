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

// G_i += g_i alpha - 2 s_i T_i
INDUCE_MULTIVERSION
void add_adjoint_columns(const double* T, Index m, Index b, const double* alpha, const double* g,
                         const double* s, double* G) {
  for (Index i = 0; i < b; ++i) {
    const double* t = T + i * m;
    double* out = G + i * m;
    const double gi = g[i], si = -2 * s[i];
    for (Index j = 0; j < m; ++j) out[j] += gi * alpha[j] + si * t[j];
  }
}

// to[first row .. , function c] := from, one number per row.
void scatter(const double* from, Index first, Index rows, Index c, Index functions, Vector& to) {
  for (Index i = 0; i < rows; ++i) to[(first + i) * functions + c] = from[i];
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
    work.row.resize(5 * blocks_.size);
  }
}

void Pass::reserve(const Frame& frame) {
  const Index size = frame.placed->workspace(blocks_.size);
  for (Buffers& work : buffers_) {
    if (work.kernel.size() < size) work.kernel.resize(size);
    if (frame.functions() > 1 && work.G.size() == 0) work.G.resize(m_, blocks_.size);
  }
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
  const Index functions = frame.functions();
  Sums& total = sums_.add_up(
      [&](Sums& sum) { sum.clear(m_, functions); },
      [&](Index first, Index rows, int worker, Sums& sum) {
        Buffers& work = buffers_[worker];
        const Block block = load(frame, first, rows, work);
        double *shifted = work.row.data(), *root = shifted + rows;
        for (Index c = 0; c < functions; ++c) {
          const double mean = frame.mean(c), scale = frame.scale(c);
          for (Index i = 0; i < rows; ++i) {
            const double w = sites.w[(first + i) * functions + c], t = sites.t[(first + i) * functions + c];
            shifted[i] = scale * (t - w * mean);
            root[i] = scale * std::sqrt(w);
            sum.w(c) += scale * scale * w;
            sum.c(c) += (c == 0 ? sites.c[first + i] : 0) + (t - w * mean / 2) * mean;
          }
          blas::add_times_vector(block.V, m_, rows, shifted, sum.b(c).data());  // b += V t'
          scale_columns(block.V, m_, rows, root, work.T.data());
          blas::add_outer_lower(work.T.data(), m_, rows, sum.Q(c).data());  // Q += V diag(w) V'
        }
      });
  ++count_;
  return total;
}

void Pass::marginals_of_block(const Frame& frame, const Posterior& q, Index c, const Block& block,
                              Buffers& work, double* m, double* S2) const {
  const Index rows = block.rows.rows;
  blas::multiply(q.P, block.V, rows, work.T.data());                    // T = P V, m x b
  blas::transposed_times_vector(block.K, m_, rows, q.alpha.data(), m);  // K'alpha
  column_dots(block.K, work.T.data(), m_, rows, S2);                    // diag(K'T)
  const double k_ii = frame.placed->diagonal(), mean = frame.mean(c), scale = frame.scale(c);
  for (Index i = 0; i < rows; ++i) {
    m[i] = scale * m[i] + mean;
    S2[i] = scale * scale * std::max(k_ii - S2[i], 0.0);  // rounding can make it negative where q is certain
  }
}

void Pass::marginals(const Frame& frame, const Posteriors& q, Vector& m, Vector& S2) {
  reserve(frame);
  const Index functions = frame.functions();
  m.resize(n() * functions);
  S2.resize(n() * functions);
  for_each_block(blocks_, workers_, [&](Index first, Index rows, int worker) {
    Buffers& work = buffers_[worker];
    const Block block = load(frame, first, rows, work);
    double *own_m = work.row.data(), *own_S2 = own_m + rows;
    for (Index c = 0; c < functions; ++c) {
      marginals_of_block(frame, q[c], c, block, work, own_m, own_S2);
      scatter(own_m, first, rows, c, functions, m);
      scatter(own_S2, first, rows, c, functions, S2);
    }
  });
}

RowAdjoint& Pass::second_half(const Frame& frame, const Posterior& q, const Response& response, bool moments,
                              Vector& m, Vector& S2) {
  return second_half(
      frame, Posteriors(q),
      [&](Index /*c*/, Index first, Index count, const double* own_m, const double* own_S2, double* g,
          double* s) { response(first, count, own_m, own_S2, g, s); },
      moments, m, S2);
}

RowAdjoint& Pass::second_half(const Frame& frame, const Posteriors& q, const FunctionResponse& response,
                              bool moments, Vector& m, Vector& S2) {
  reserve(frame);
  const Index functions = frame.functions();
  m.resize(n() * functions);
  S2.resize(n() * functions);
  RowAdjoint& total = adjoints_.add_up(
      [&](RowAdjoint& sum) { sum.clear(frame.placed->pullback_size(), m_, functions, moments); },
      [&](Index first, Index rows, int worker, RowAdjoint& sum) {
        Buffers& work = buffers_[worker];
        const Block block = load(frame, first, rows, work);
        double *own_m = work.row.data(), *own_S2 = own_m + rows, *g = own_S2 + rows, *s = g + rows,
               *root = s + rows;
        if (functions > 1) work.G.leftCols(rows).setZero();
        for (Index c = 0; c < functions; ++c) {
          const double mean = frame.mean(c), scale = frame.scale(c);
          marginals_of_block(frame, q[c], c, block, work, own_m, own_S2);
          scatter(own_m, first, rows, c, functions, m);
          scatter(own_S2, first, rows, c, functions, S2);
          response(c, first, rows, own_m, own_S2, g, s);
          for (Index i = 0; i < rows; ++i) {
            sum.g(c) += g[i];
            sum.s() += scale * scale * s[i];
            sum.r(c) += g[i] * (own_m[i] - mean) + 2 * s[i] * own_S2[i];
          }
          if (moments) {
            blas::add_times_vector(block.V, m_, rows, g, sum.Vg().data());
            for (Index i = 0; i < rows; ++i) root[i] = std::sqrt(-s[i]);
            scale_columns(block.V, m_, rows, root, work.S.data());
            blas::add_outer_lower(work.S.data(), m_, rows, sum.VsV().data());  // minus sum s v v'
          }
          if (functions == 1) {
            adjoint_columns(work.T.data(), m_, rows, q[c].alpha.data(), g, s);  // G, m x b
            continue;
          }
          for (Index i = 0; i < rows; ++i) {
            g[i] *= scale;
            s[i] *= scale * scale;
          }
          add_adjoint_columns(work.T.data(), m_, rows, q[c].alpha.data(), g, s, work.G.data());
        }
        frame.placed->pull_back(block.rows, work.kernel.data(), block.K,
                                functions == 1 ? work.T.data() : work.G.data(), work.S.data(), sum.kernel());
      });
  if (moments) {
    total.VsV() *= -1;
    blas::mirror_lower(total.VsV());
  }
  return total;
}

}  // namespace induce
