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

Pass::Pass(const RowMatrix& X, Index m, Workers& workers, std::size_t memory)
    : Pass(TableView{X.data(), static_cast<std::size_t>(X.rows()), static_cast<std::size_t>(X.cols())}, m,
           workers, memory) {}

Pass::Pass(TableView X, Index m, Workers& workers, std::size_t memory)
    : for_each_worker_(workers.size()),
      X_(X),
      workers_(workers),
      m_(m),
      lanes_(Lanes::cut(static_cast<Index>(X.n), m)),
      buffers_(workers.size()),
      sums_(lanes_.count),
      adjoints_(lanes_.count) {
  for (auto& work : buffers_) {
    work.X_s.resize(lanes_.block, static_cast<Index>(X.d));
    for (Matrix* buffer : {&work.K, &work.V, &work.T, &work.S}) buffer->resize(m, lanes_.block);
    work.row.resize(3 * lanes_.block);
  }
  const std::size_t block_bytes = 2 * sizeof(double) * m * lanes_.block;
  kept_blocks_ = std::min(lanes_.blocks(), static_cast<Index>(memory / block_bytes));
  if (kept_blocks_ > 0) kept_.reset(new double[kept_bytes() / sizeof(double)]);
  kept_ids_.assign(kept_blocks_, 0);
}

std::size_t Pass::kept_bytes() const { return 2 * sizeof(double) * m_ * lanes_.block * kept_blocks_; }

Pass::Block Pass::load(const Frame& frame, Index first, Index rows, Buffers& work) {
  scale_rows(X_.row(first), rows, frame.inverse_l, work.X_s.data());
  const Index number = first / lanes_.block, size = m_ * lanes_.block;
  const bool keep = number < kept_blocks_;
  double* K = keep ? kept_.get() + 2 * number * size : work.K.data();
  double* V = keep ? K + size : work.V.data();
  if (!keep || kept_ids_[number] != frame.id) {
    covariance_block(*frame.shape, frame.hyper.variance(), work.X_s.data(), rows, frame.Z_s, K);  // m x b
    std::copy_n(K, m_ * rows, V);
    blas::solve_lower(frame.L, V, rows);  // V = L^-1 K, m x b
    if (keep) kept_ids_[number] = frame.id;
  }
  return {K, V};
}

const Sums& Pass::first_half(const Frame& frame, const Sites& sites) {
  const double mean = frame.hyper.mean;
  workers_.run(lanes_.count, [&](Index lane, int worker) {
    Sums& sum = sums_[lane];
    Buffers& work = buffers_[worker];
    sum.Q.setZero(m_, m_);
    sum.b.setZero(m_);
    sum.w = sum.c = 0;
    lanes_.each_block(lane, [&](Index first, Index rows) {
      workers_.stop_point(worker);
      const Block block = load(frame, first, rows, work);
      double *shifted = work.row.data(), *root = shifted + rows;
      for (Index i = 0; i < rows; ++i) {
        const double w = sites.w[first + i], t = sites.t[first + i];
        shifted[i] = t - w * mean;
        root[i] = std::sqrt(w);
        sum.w += w;
        sum.c += sites.c[first + i] + (t - w * mean / 2) * mean;
      }
      blas::add_times_vector(block.V, m_, rows, shifted, sum.b.data());  // b += V t'
      scale_columns(block.V, m_, rows, root, work.T.data());
      blas::add_outer_lower(work.T.data(), m_, rows, sum.Q);  // Q += V diag(w) V'
    });
  });
  total_ = sums_[0];
  for (Index lane = 1; lane < lanes_.count; ++lane) {
    total_.Q += sums_[lane].Q;
    total_.b += sums_[lane].b;
    total_.w += sums_[lane].w;
    total_.c += sums_[lane].c;
  }
  ++count_;
  return total_;
}

void Pass::marginals_of_block(const Frame& frame, const Posterior& q, const Block& block, Index rows,
                              Buffers& work, double* m, double* S2) const {
  blas::multiply(q.P, block.V, rows, work.T.data());                    // T = P V, m x b
  blas::transposed_times_vector(block.K, m_, rows, q.alpha.data(), m);  // K'alpha
  column_dots(block.K, work.T.data(), m_, rows, S2);                    // diag(K'T)
  const double k_ii = frame.hyper.k_ii();
  for (Index i = 0; i < rows; ++i) {
    m[i] += frame.hyper.mean;
    S2[i] = std::max(k_ii - S2[i], 0.0);  // rounding may leave a tiny negative number where q is certain
  }
}

void Pass::marginals(const Frame& frame, const Posterior& q, Vector& m, Vector& S2) {
  m.resize(n());
  S2.resize(n());
  workers_.run(lanes_.count, [&](Index lane, int worker) {
    lanes_.each_block(lane, [&](Index first, Index rows) {
      workers_.stop_point(worker);
      const Block block = load(frame, first, rows, buffers_[worker]);
      marginals_of_block(frame, q, block, rows, buffers_[worker], m.data() + first, S2.data() + first);
    });
  });
}

const RowAdjoint& Pass::second_half(const Frame& frame, const Posterior& q, const Response& response,
                                    bool moments, Vector& m, Vector& S2) {
  m.resize(n());
  S2.resize(n());
  workers_.run(lanes_.count, [&](Index lane, int worker) {
    RowAdjoint& sum = adjoints_[lane];
    Buffers& work = buffers_[worker];
    if (moments) sum.VsV.setZero(m_, m_);
    sum.kernel.clear(m_, frame.d());
    sum.Vg.setZero(m_);
    sum.g = sum.s = 0;
    lanes_.each_block(lane, [&](Index first, Index rows) {
      workers_.stop_point(worker);
      const Block block = load(frame, first, rows, work);
      marginals_of_block(frame, q, block, rows, work, m.data() + first, S2.data() + first);
      double *g = work.row.data(), *s = g + rows, *root = s + rows;
      response(first, rows, m.data() + first, S2.data() + first, g, s);
      for (Index i = 0; i < rows; ++i) {
        sum.g += g[i];
        sum.s += s[i];
      }
      if (moments) {
        blas::add_times_vector(block.V, m_, rows, g, sum.Vg.data());
        for (Index i = 0; i < rows; ++i) root[i] = std::sqrt(-s[i]);
        scale_columns(block.V, m_, rows, root, work.S.data());
        blas::add_outer_lower(work.S.data(), m_, rows, sum.VsV);  // minus sum s v v'
      }
      adjoint_columns(work.T.data(), m_, rows, q.alpha.data(), g, s);  // G, m x b
      sum.kernel.add(*frame.shape, frame.hyper.variance(), work.X_s.data(), rows, frame.Z_s, block.K,
                     work.T.data(), work.S.data());
    });
  });
  RowAdjoint& total = total_adjoint_;
  total = adjoints_[0];
  for (Index lane = 1; lane < lanes_.count; ++lane) {
    const RowAdjoint& next = adjoints_[lane];
    total.kernel += next.kernel;
    total.g += next.g;
    total.s += next.s;
    if (moments) {
      total.Vg += next.Vg;
      total.VsV += next.VsV;
    }
  }
  if (moments) {
    total.VsV *= -1;
    blas::mirror_lower(total.VsV);
  }
  return total;
}

}  // namespace induce
