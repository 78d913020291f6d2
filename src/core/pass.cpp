#include "core/pass.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"

namespace induce {
namespace {

INDUCE_MULTIVERSION
void scale_columns(double* V, Index m, Index b, const double* factor) {
  for (Index i = 0; i < b; ++i)
    for (Index j = 0; j < m; ++j) V[i * m + j] *= factor[i];
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

Pass::Pass(const RowMatrix& X, Index m, Workers& workers)
    : X_(X),
      workers_(workers),
      lanes_(Lanes::cut(X.rows(), m)),
      sums_(lanes_.count),
      adjoints_(lanes_.count) {
  for (int worker = 0; worker < workers_.size(); ++worker) buffers_.emplace_back(m, lanes_.block, X.cols());
  for (auto& lane : sums_) {
    lane.Q.resize(m, m);
    lane.b.resize(m);
  }
}

// X_s, K and V of one block.
void Pass::load(const Frame& frame, Index first, Index rows, Buffers& work) const {
  scale_rows(X_.data() + first * X_.cols(), rows, frame.inverse_l, work.X_s.data());
  covariance_block(*frame.shape, frame.hyper.variance(), work.X_s.data(), rows, frame.Z_s,
                   work.K.data());  // m x b
  std::copy_n(work.K.data(), frame.m() * rows, work.V.data());
  blas::solve_lower(frame.L, work.V.data(), rows);  // V = L^-1 K, m x b
}

Sums Pass::first_half(const Frame& frame, const Sites& sites) {
  const Index m = frame.m();
  const double mean = frame.hyper.mean;
  workers_.run(lanes_.count, [&](Index lane, int worker) {
    Sums& sum = sums_[lane];
    Buffers& work = buffers_[worker];
    sum.Q.setZero();
    sum.b.setZero();
    sum.w = sum.c = 0;
    lanes_.each_block(lane, [&](Index first, Index rows) {
      load(frame, first, rows, work);
      double *shifted = work.row.data(), *root = shifted + rows;
      for (Index i = 0; i < rows; ++i) {
        const double w = sites.w[first + i], t = sites.t[first + i];
        shifted[i] = t - w * mean;
        root[i] = std::sqrt(w);
        sum.w += w;
        sum.c += sites.c[first + i] + (t - w * mean / 2) * mean;
      }
      blas::add_times_vector(work.V.data(), m, rows, shifted, sum.b.data());  // b += V t'
      scale_columns(work.V.data(), m, rows, root);
      blas::add_outer_lower(work.V.data(), m, rows, sum.Q);  // Q += V diag(w) V'
    });
  });
  Sums total = sums_[0];
  for (Index lane = 1; lane < lanes_.count; ++lane) {
    total.Q += sums_[lane].Q;
    total.b += sums_[lane].b;
    total.w += sums_[lane].w;
    total.c += sums_[lane].c;
  }
  ++count_;
  return total;
}

void Pass::marginals_of_block(const Frame& frame, const Posterior& q, Index rows, Buffers& work, double* m,
                              double* S2) const {
  blas::multiply(q.P, work.V.data(), rows, work.T.data());                           // T = P V, m x b
  blas::transposed_times_vector(work.K.data(), frame.m(), rows, q.alpha.data(), m);  // K'alpha
  column_dots(work.K.data(), work.T.data(), frame.m(), rows, S2);                    // diag(K'T)
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
      load(frame, first, rows, buffers_[worker]);
      marginals_of_block(frame, q, rows, buffers_[worker], m.data() + first, S2.data() + first);
    });
  });
}

RowAdjoint Pass::second_half(const Frame& frame, const Posterior& q, const Response& response, bool moments,
                             Vector& m, Vector& S2) {
  m.resize(n());
  S2.resize(n());
  const Index size = frame.m();
  workers_.run(lanes_.count, [&](Index lane, int worker) {
    RowAdjoint& sum = adjoints_[lane];
    Buffers& work = buffers_[worker];
    if (sum.Vg.size() != size) {
      sum.kernel = KernelPullback(size, frame.d());
      sum.Vg.resize(size);
    }
    if (moments) sum.VsV.setZero(size, size);
    sum.kernel.clear();
    sum.Vg.setZero();
    sum.g = sum.s = 0;
    lanes_.each_block(lane, [&](Index first, Index rows) {
      load(frame, first, rows, work);
      marginals_of_block(frame, q, rows, work, m.data() + first, S2.data() + first);
      double *g = work.row.data(), *s = g + rows, *root = s + rows;
      response(first, rows, m.data() + first, S2.data() + first, g, s);
      for (Index i = 0; i < rows; ++i) {
        sum.g += g[i];
        sum.s += s[i];
      }
      if (moments) {
        blas::add_times_vector(work.V.data(), size, rows, g, sum.Vg.data());
        for (Index i = 0; i < rows; ++i) root[i] = std::sqrt(-s[i]);
        scale_columns(work.V.data(), size, rows, root);
        blas::add_outer_lower(work.V.data(), size, rows, sum.VsV);  // minus sum s v v'
      }
      adjoint_columns(work.T.data(), size, rows, q.alpha.data(), g, s);  // G, m x b
      sum.kernel.add(*frame.shape, frame.hyper.variance(), work.X_s.data(), rows, frame.Z_s, work.K.data(),
                     work.T.data(), work.V.data());
    });
  });
  RowAdjoint total = adjoints_[0];
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
