#include "core/pass.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"

namespace induce::detail {
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

INDUCE_MULTIVERSION
void subtract(const double* x, Index count, double* y) {
  for (Index k = 0; k < count; ++k) y[k] -= x[k];
}

// to[row, function c] := from, one number per row.
void scatter(const double* from, Index rows, Index c, Index functions, double* to) {
  for (Index i = 0; i < rows; ++i) to[i * functions + c] = from[i];
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
      tree_(RowTree::over(rows_->leaves(), Blocks::rows_in_cache(m))),
      block_rows_(tree_.most_rows()),
      cache_(tree_.blocks(), block_rows_, m, memory),
      buffers_(workers.size()),
      trees_(std::make_unique<Trees>(*rows_, m, false, workers)) {
  for (Buffers& work : buffers_) {
    work.source.resize(rows_->buffer(block_rows_));
    for (Matrix* buffer : {&work.K, &work.V, &work.T, &work.S}) buffer->resize(m, block_rows_);
    work.row.resize(5 * block_rows_);
  }
}

Pass::Trees::Trees(const RowSource& rows, Index m, bool terms, Workers& workers)
    : of_terms(terms),
      tree(RowTree::over(rows.leaves(), Blocks::rows_in_cache(m),
                         terms ? Leaves::group(rows.leaves().total) : 1)),
      sums(tree, workers),
      adjoints(tree, workers),
      totals(tree, workers) {
  if (!terms) return;
  for (Index leaf = 0; leaf < tree.leaves(); ++leaf) {
    const Index end = tree.leaf_begin[leaf + 1];
    for (Index first = tree.leaf_begin[leaf]; first < end;) {
      Index last = first;
      while (last + 1 < end && tree.first(last + 2) - tree.first(first) <= TermRows::most_rows) ++last;
      chunks.insert(chunks.end(), static_cast<std::size_t>(last + 1 - first), {first, last});
      first = last + 1;
    }
  }
}

Pass::InChunk Pass::in_chunk(Index first) const {
  const Index block = tree_.number(first);
  const Chunk chunk = trees_->chunks[block];
  return {first - tree_.first(chunk.first), tree_.first(chunk.last + 1) - tree_.first(chunk.first),
          block == chunk.first, block == chunk.last};
}

void Pass::load_chunk(const Frame& frame, const Posteriors& q, Index first, Buffers& work) const {
  const Chunk chunk = trees_->chunks[tree_.number(first)];
  for (Index block = chunk.first; block <= chunk.last; ++block)
    work.terms.load(frame.terms()->terms(),
                    rows_->block(tree_.first(block), tree_.rows(block), work.source.data()),
                    tree_.first(block) - first);
  work.terms.order();
  for (Index c = 0; c < frame.functions(); ++c)
    work.terms.set_quadratic(q[c].tables.data(), work.of_chunk.data() + c * work.terms.rows());
}

void Pass::reserve(const Frame& frame) {
  const Index size = frame.placed->workspace(block_rows_), functions = frame.functions();
  const bool terms = frame.terms() != nullptr;
  if (trees_->of_terms != terms) trees_ = std::make_unique<Trees>(*rows_, m_, terms, workers_);
  Index chunk = 0;
  for (const Chunk& each : trees_->chunks)
    chunk = std::max(chunk, tree_.first(each.last + 1) - tree_.first(each.first));
  for (Buffers& work : buffers_) {
    if (work.kernel.size() < size) work.kernel.resize(size);
    if (terms) work.terms.reserve(frame.terms()->terms(), chunk);
    if (work.of_chunk.size() < functions * chunk) work.of_chunk.resize(functions * chunk);
    if (functions > 1 && work.G.size() == 0) work.G.resize(m_, block_rows_);
    if (work.marginals.size() < 2 * functions * block_rows_)
      work.marginals.resize(2 * functions * block_rows_);
  }
}

Pass::Block Pass::load(const Frame& frame, Index first, Index count, Buffers& work) {
  const RowBlock rows = rows_->block(first, count, work.source.data());
  frame.placed->load(rows, work.kernel.data());
  const Index number = tree_.number(first);
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
  const Index functions = frame.functions();
  return first_half(frame, [&](Index first, Index rows, int /*worker*/) -> SiteBlock {
    double c = 0;
    for (Index i = first; i < first + rows; ++i) c += sites.c[i];
    return {sites.w.data() + first * functions, sites.t.data() + first * functions, c};
  });
}

Sums& Pass::first_half(const Frame& frame, const SitesOfBlock& sites_of) {
  reserve(frame);
  const Index functions = frame.functions();
  const PlacedTerms* terms = frame.terms();
  Sums& total = trees_->sums.add_up(
      [&](Sums& sum) { sum.clear(m_, functions, terms); },
      [&](Index first, Index rows, int worker, Sums& sum) {
        Buffers& work = buffers_[worker];
        const Block block = load(frame, first, rows, work);
        const SiteBlock sites = sites_of(first, rows, worker);
        double *shifted = work.row.data(), *root = shifted + rows;
        sum.c() += sites.c;
        const InChunk at = terms ? in_chunk(first) : InChunk{};
        if (terms) work.terms.load(terms->terms(), block.rows, at.first);
        for (Index c = 0; c < functions; ++c) {
          const double mean = frame.mean(c), scale = frame.scale(c);
          for (Index i = 0; i < rows; ++i) {
            const double w = sites.w[i * functions + c], t = sites.t[i * functions + c];
            shifted[i] = scale * (t - w * mean);
            root[i] = scale * std::sqrt(w);
            sum.w(c) += scale * scale * w;
            sum.c(c) += (t - w * mean / 2) * mean;
          }
          blas::add_times_vector(block.V, m_, rows, shifted, sum.b(c).data());  // b += V t'
          if (terms) work.add_terms(block.V, m_, at.first, rows, at.rows, shifted, root, c, sum);
          scale_columns(block.V, m_, rows, root, work.T.data());
          blas::add_outer_lower(work.T.data(), m_, rows, sum.Q(c).data());  // Q += V diag(w) V'
        }
        if (!terms || !at.ends) return;
        work.terms.order();
        for (Index c = 0; c < functions; ++c)
          work.terms.add_tables(work.of_chunk.data() + c * at.rows, sum.HH(c));
      });
  ++count_;
  return total;
}

void Pass::Buffers::add_terms(const double* of_V, Index m, Index first, Index rows, Index chunk,
                              const double* t, const double* root, Index c, Sums& sum) {
  double* w = of_chunk.data() + c * chunk + first;
  for (Index i = 0; i < rows; ++i) w[i] = root[i] * root[i];
  terms.add_vector(first, rows, t, sum.b(c).data() + m);
  terms.add_columns(first, rows, of_V, m, w, sum.VH(c).data());
}

void Pass::marginals_of_block(const Frame& frame, const Posterior& q, Index c, const Block& block,
                              Buffers& work, double* m, double* S2) const {
  const Index rows = block.rows.rows;
  blas::multiply(q.P, block.V, rows, work.T.data());                    // T = P V, m x b
  blas::transposed_times_vector(block.K, m_, rows, q.alpha.data(), m);  // K'alpha
  column_dots(block.K, work.T.data(), m_, rows, S2);                    // diag(K'T)
  if (frame.terms()) add_terms_to_marginals(q, c, block, work, m, S2);
  const double k_ii = frame.placed->diagonal(), mean = frame.mean(c), scale = frame.scale(c);
  for (Index i = 0; i < rows; ++i) {
    m[i] = scale * m[i] + mean;
    S2[i] = scale * scale * std::max(k_ii - S2[i], 0.0);  // rounding can make it negative where q is certain
  }
}

// T := T - Y H'
void Pass::add_terms_to_marginals(const Posterior& q, Index c, const Block& block, Buffers& work, double* m,
                                  double* S2) const {
  const Index rows = block.rows.rows, first = in_chunk(block.rows.first).first;
  double *Yh = work.S.data(), *of_row = work.row.data() + 4 * rows;
  const double* quadratic = work.of_chunk.data() + c * work.terms.rows() + first;
  work.terms.add_products(first, rows, q.beta.data(), m);
  for (Index i = 0; i < rows; ++i) S2[i] -= quadratic[i];
  if (m_ == 0) return;
  work.terms.combine_columns(first, rows, q.Y.data(), m_, Yh);
  column_dots(block.K, Yh, m_, rows, of_row);
  for (Index i = 0; i < rows; ++i) S2[i] -= 2 * of_row[i];
  subtract(Yh, m_ * rows, work.T.data());
}

template <class Each>
void Pass::visit_block(const Frame& frame, const Posteriors& q, const Block& block, Buffers& work,
                       const Each& each) {
  const Index functions = frame.functions(), rows = block.rows.rows;
  double *own_m = work.row.data(), *own_S2 = own_m + rows, *m = work.marginals.data(),
         *S2 = m + rows * functions;
  for (Index c = 0; c < functions; ++c) {
    marginals_of_block(frame, q[c], c, block, work, own_m, own_S2);
    scatter(own_m, rows, c, functions, m);
    scatter(own_S2, rows, c, functions, S2);
    each(c, own_m, own_S2);
  }
}

Totals<row_totals>& Pass::marginals(const Frame& frame, const Posteriors& q, const RowVisitor& visitor) {
  reserve(frame);
  return trees_->totals.add_up(
      [&](auto& sum) { sum.clear(frame.prior.thresholds.size()); },
      [&](Index first, Index rows, int worker, auto& sum) {
        Buffers& work = buffers_[worker];
        if (frame.terms() && in_chunk(first).begins) load_chunk(frame, q, first, work);
        const Block block = load(frame, first, rows, work);
        if (visitor.begin) visitor.begin(first, rows, worker);
        visit_block(frame, q, block, work, [](Index, const double*, const double*) {});
        if (visitor.end)
          visitor.end(first, rows, work.marginals.data(), work.marginals.data() + rows * frame.functions(),
                      worker, &sum[0]);
      });
}

namespace {

// Copies the marginals of all rows. A function that refers to it allocates nothing.
struct Copies {
  Copies(Index rows, Index of_row, Vector& means, Vector& variances)
      : functions(of_row), m(means), S2(variances) {
    m.resize(rows * functions);
    S2.resize(rows * functions);
  }
  void take(Index first, Index rows, const double* own_m, const double* own_S2) {
    std::copy_n(own_m, rows * functions, m.data() + first * functions);
    std::copy_n(own_S2, rows * functions, S2.data() + first * functions);
  }

  Index functions;
  Vector &m, &S2;
};

auto taking(Copies& copies) {
  return [&copies](Index first, Index rows, const double* m, const double* S2, int /*worker*/,
                   double* /*totals*/) { copies.take(first, rows, m, S2); };
}

}  // namespace

void Pass::marginals(const Frame& frame, const Posteriors& q, Vector& m, Vector& S2) {
  Copies copies(n(), frame.functions(), m, S2);
  marginals(frame, q, RowVisitor{.end = taking(copies)});
}

RowAdjoint& Pass::second_half(const Frame& frame, const Posterior& q, const Response& response, bool moments,
                              Vector& m, Vector& S2) {
  Copies copies(n(), 1, m, S2);
  RowAdjoint& total =
      second_half(frame, q,
                  RowVisitor{.response = [&](Index /*c*/, Index first, Index rows, const double* own_m,
                                             const double* own_S2, double* g, double* s,
                                             int /*worker*/) { response(first, rows, own_m, own_S2, g, s); },
                             .end = taking(copies)},
                  moments);
  if (moments) complete_moments(total);
  return total;
}

RowAdjoint& Pass::second_half(const Frame& frame, const Posteriors& q, const FunctionResponse& response,
                              Vector& m, Vector& S2) {
  Copies copies(n(), frame.functions(), m, S2);
  return second_half(
      frame, q,
      RowVisitor{.response = [&](Index c, Index first, Index rows, const double* own_m, const double* own_S2,
                                 double* g, double* s,
                                 int /*worker*/) { response(c, first, rows, own_m, own_S2, g, s); },
                 .end = taking(copies)});
}

RowAdjoint& Pass::second_half(const Frame& frame, const Posteriors& q, const RowVisitor& visitor,
                              bool moments) {
  reserve(frame);
  const Index functions = frame.functions();
  return trees_->adjoints.add_up(
      [&](RowAdjoint& sum) { sum.clear(frame.placed->pullback_size(), m_, frame.prior, moments); },
      [&](Index first, Index rows, int worker, RowAdjoint& sum) {
        Buffers& work = buffers_[worker];
        if (frame.terms() && in_chunk(first).begins) load_chunk(frame, q, first, work);
        const Block block = load(frame, first, rows, work);
        if (visitor.begin) visitor.begin(first, rows, worker);
        double *g = work.row.data() + 2 * rows, *s = g + rows, *root = s + rows;
        if (functions > 1) work.G.leftCols(rows).setZero();
        visit_block(frame, q, block, work, [&](Index c, const double* own_m, const double* own_S2) {
          const double mean = frame.mean(c), scale = frame.scale(c);
          visitor.response(c, first, rows, own_m, own_S2, g, s, worker);
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
            return;
          }
          for (Index i = 0; i < rows; ++i) {
            g[i] *= scale;
            s[i] *= scale * scale;
          }
          add_adjoint_columns(work.T.data(), m_, rows, q[c].alpha.data(), g, s, work.G.data());
        });
        if (visitor.end)
          visitor.end(first, rows, work.marginals.data(), work.marginals.data() + rows * functions, worker,
                      sum.totals());
        frame.placed->pull_back(block.rows, work.kernel.data(), block.K,
                                functions == 1 ? work.T.data() : work.G.data(), work.S.data(), sum.kernel());
      });
}

void complete_moments(RowAdjoint& total) {
  total.VsV() *= -1;
  blas::mirror_lower(total.VsV());
}

}  // namespace induce::detail
