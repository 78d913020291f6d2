#include "core/pass.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/columns.hpp"
#include "linalg/blas.hpp"

namespace induce {
Pass::Pass(const RowSource& rows, Index m, Workers& workers, std::size_t memory, Precision precision)
    : Pass(DenseRows(TableView{}), &rows, m, workers, memory, precision) {}

Pass::Pass(const RowMatrix& X, Index m, Workers& workers, std::size_t memory, Precision precision)
    : Pass(DenseRows(X), nullptr, m, workers, memory, precision) {}

Pass::Pass(const DenseRows& own, const RowSource* rows, Index m, Workers& workers, std::size_t memory,
           Precision precision)
    : blas_buffers_(workers.size()),
      own_(own),
      rows_(rows ? rows : &own_),
      workers_(workers),
      m_(m),
      precision_(precision),
      blocks_(Blocks::fit_cache(rows_->n(), m)),
      cache_(blocks_, m, memory, precision),
      buffers_(workers.size()),
      sums_(blocks_, workers),
      adjoints_(blocks_, workers),
      projections_(blocks_, workers) {
  if (!full()) squared_norms_.resize(rows_->n());
  for (Buffers& work : buffers_) {
    work.source.resize(rows_->buffer(blocks_.size));
    for (Matrix* buffer : {&work.K, &work.V, &work.T, &work.S}) buffer->resize(m, blocks_.size);
    work.row.resize(3 * blocks_.size);
    if (full()) continue;
    for (FloatMatrix* buffer : {&work.V_single, &work.T_single}) buffer->resize(m, blocks_.size);
    work.Q_single.resize(m, m);
  }
}

void Pass::require_full() const {
  if (!full()) throw std::logic_error("this part of a pass needs full precision");
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
  double* V = keep && full() ? cache_.V(number) : work.V.data();
  float* V_single = full() ? nullptr : keep ? cache_.V_single(number) : work.V_single.data();
  if (!keep || !cache_.holds(number, frame.id)) {
    frame.placed->covariance(rows, work.kernel.data(), K);  // m x b
    std::copy_n(K, m_ * count, V);
    if (full()) {
      blas::solve_lower(frame.L, V, count);  // V = L^-1 K, m x b
    } else {
      blas::solve_lower_by_halves(frame.L, V, count);
      columns::squared_norms(V, m_, count, squared_norms_.data() + first);
      columns::to_single(V, m_ * count, V_single);
    }
    if (keep) cache_.filled(number, frame.id);
  }
  return {rows, K, V, V_single};
}

// K of a block, without V unless the cache wants both.
const double* Pass::load_K(const Frame& frame, Index first, Index count, Buffers& work) {
  const Index number = first / blocks_.size;
  if (cache_.keeps(number))
    return cache_.holds(number, frame.id) ? cache_.K(number) : load(frame, first, count, work).K;
  const RowBlock rows = rows_->block(first, count, work.source.data());
  frame.placed->load(rows, work.kernel.data());
  frame.placed->covariance(rows, work.kernel.data(), work.K.data());
  return work.K.data();
}

// b += V t,   Q += V diag(root^2) V'
void Pass::add_to_sums(const Block& block, const double* t, const double* root, Buffers& work,
                       Sums& sum) const {
  const Index rows = block.rows.rows;
  if (full()) {
    blas::add_times_vector(block.V, m_, rows, t, sum.b().data());
    columns::scale(block.V, m_, rows, root, work.T.data());
    blas::add_outer_lower(work.T.data(), m_, rows, sum.Q().data());
  } else {
    columns::add_times_vector(block.V_single, m_, rows, t, sum.b().data());
    columns::scale(block.V_single, m_, rows, root, work.T_single.data());
    blas::outer_lower(work.T_single.data(), m_, rows, work.Q_single.data());
    columns::add_lower(work.Q_single.data(), m_, sum.Q().data());
  }
}

Sums& Pass::first_half(const Frame& frame, const Sites& sites) {
  reserve(frame);
  const double mean = frame.mean();
  Sums& total = sums_.add_up([&](Sums& sum) { sum.clear(m_); },
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
                               add_to_sums(block, shifted, root, work, sum);
                             });
  ++count_;
  return total;
}

void Pass::marginals_of_block(const Frame& frame, const Posterior& q, const Block& block, Buffers& work,
                              double* m, double* S2) const {
  const Index rows = block.rows.rows;
  blas::multiply(q.P, block.V, rows, work.T.data());                    // T = P V, m x b
  blas::transposed_times_vector(block.K, m_, rows, q.alpha.data(), m);  // K'alpha
  columns::dots(block.K, work.T.data(), m_, rows, S2);                  // diag(K'T)
  const double k_ii = frame.placed->diagonal();
  for (Index i = 0; i < rows; ++i) {
    m[i] += frame.mean();
    S2[i] = std::max(k_ii - S2[i], 0.0);  // rounding can make it slightly negative where q is certain
  }
}

void Pass::marginals(const Frame& frame, const Posterior& q, Vector& m, Vector& S2) {
  require_full();
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
  require_full();
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
          columns::scale(block.V, m_, rows, root, work.S.data());
          blas::add_outer_lower(work.S.data(), m_, rows, sum.VsV().data());  // minus sum s v v'
        }
        columns::adjoint(work.T.data(), m_, rows, q.alpha.data(), g, s, work.T.data());  // G, m x b
        frame.placed->pull_back(block.rows, work.kernel.data(), block.K, work.T.data(), work.S.data(),
                                sum.kernel());
      });
  if (moments) {
    total.VsV() *= -1;
    blas::mirror_lower(total.VsV());
  }
  return total;
}

void Pass::variances(const Frame& frame, const Matrix& L_B, Vector& S2) {
  reserve(frame);
  S2.resize(n());
  if (!full()) {
    W_ = L_B;
    blas::invert_lower(W_);
    m_by_m_ = W_.cast<float>();
  }
  const double k_ii = frame.placed->diagonal();
  for_each_block(blocks_, workers_, [&](Index first, Index rows, int worker) {
    Buffers& work = buffers_[worker];
    const Block block = load(frame, first, rows, work);
    double *out = S2.data() + first, *own_norms = work.row.data();
    const double* norms = full() ? own_norms : squared_norms_.data() + first;
    if (full()) {
      columns::squared_norms(block.V, m_, rows, own_norms);
      std::copy_n(block.V, m_ * rows, work.T.data());
      blas::solve_lower(L_B, work.T.data(), rows);
      columns::squared_norms(work.T.data(), m_, rows, out);
    } else {
      std::copy_n(block.V_single, m_ * rows, work.T_single.data());
      blas::multiply_lower(m_by_m_, work.T_single.data(), rows);
      columns::squared_norms(work.T_single.data(), m_, rows, out);
    }
    for (Index i = 0; i < rows; ++i) out[i] += std::max(k_ii - norms[i], 0.0);
  });
}

Projection& Pass::sweep(const Frame& frame, const Vector& x, const SweepResponse& response) {
  reserve(frame);
  return projections_.add_up([&](Projection& sum) { sum.clear(m_); },
                             [&](Index first, Index rows, int worker, Projection& sum) {
                               Buffers& work = buffers_[worker];
                               const double* K = load_K(frame, first, rows, work);
                               double *f = work.row.data(), *g = f + rows;
                               blas::transposed_times_vector(K, m_, rows, x.data(), f);
                               sum.total() += response(first, rows, f, g);
                               blas::add_times_vector(K, m_, rows, g, sum.Kg().data());
                             });
}

RowAdjoint& Pass::adjoint(const Frame& frame, const Posterior& q, const Vector& g, const Vector& s) {
  reserve(frame);
  if (!full()) m_by_m_ = q.P.cast<float>();
  return adjoints_.add_up(
      [&](RowAdjoint& sum) { sum.clear(frame.placed->pullback_size(), m_, false); },
      [&](Index first, Index rows, int worker, RowAdjoint& sum) {
        Buffers& work = buffers_[worker];
        const Block block = load(frame, first, rows, work);
        const double *g_block = g.data() + first, *s_block = s.data() + first;
        double* G = work.T.data();
        if (full()) {
          blas::multiply(q.P, block.V, rows, G);
          columns::adjoint(G, m_, rows, q.alpha.data(), g_block, s_block, G);
        } else {
          blas::multiply(m_by_m_, block.V_single, rows, work.T_single.data());
          columns::adjoint(work.T_single.data(), m_, rows, q.alpha.data(), g_block, s_block, G);
        }
        for (Index i = 0; i < rows; ++i) {
          sum.g() += g_block[i];
          sum.s() += s_block[i];
        }
        frame.placed->pull_back(block.rows, work.kernel.data(), block.K, G, work.S.data(), sum.kernel());
      });
}

}  // namespace induce
