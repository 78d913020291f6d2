#include "explain/effects.hpp"

#include <algorithm>
#include <cmath>

#include "explain/points.hpp"
#include "linalg/blas.hpp"
#include "term/term_rows.hpp"

namespace induce::detail {
namespace {

constexpr double half_width = 1.959963985;     // of a 95 % band, in standard deviations
constexpr double negligible_variance = 1e-16;  // of m, relative to the signal variance

// In a wide table the curve of a feature with a smaller total importance has three points: it is flat.
constexpr double negligible_importance = 1e-3;
// The variance of a constant latent function: no probability changes by more than a few ten thousandths. Base rates have less.
constexpr double no_variance = 1e-6;

// Covariances of a few rows with the inputs of a placed kernel, and their entries in its terms. One per worker.
class FewRows {
 public:
  void resize(Index rows, Index d) { X_.resize(rows, d); }
  Index n() const { return X_.rows(); }
  RowMatrix& X() { return X_; }

  const double* covariance(const PlacedKernel& placed, Index m) {  // m x n
    const RowBlock block{0, X_.rows(), X_.cols(), X_.data()};
    if (const Index size = placed.workspace(n()); workspace_.size() < size) workspace_.resize(size);
    if (K_.size() < m * n()) K_.resize(m * n());
    placed.load(block, workspace_.data());
    placed.covariance(block, workspace_.data(), K_.data());
    return K_.data();
  }
  // h of `count` rows from this one on.
  const TermRows& entries(const Terms& terms, Index first, Index count) {
    entries_.reserve(terms, count);
    entries_.load(terms, {first, count, X_.cols(), X_.row(first).data()});
    return entries_;
  }

 private:
  RowMatrix X_;
  TermRows entries_;
  Vector workspace_, K_;
};

// The sum of the variances of the rows of x.
double variance_of(const Matrix& x) {
  double sum = 0;
  for (Index c = 0; x.cols() > 1 && c < x.rows(); ++c) {
    const Vector row = x.row(c);
    sum += (row.array() - row.mean()).square().sum() / static_cast<double>(row.size() - 1);
  }
  return sum;
}

// The effect of one column at its points: one column for each latent function.
struct Curve {
  Matrix mean, deviation;
};

class Explainer {
 public:
  Explainer(const Fitted& fitted, const RowSample& sample, const ExplainSizes& sizes, Workers& workers)
      : fitted_(fitted),
        frame_(fitted.frame),
        sample_(sample),
        sizes_(sizes),
        block_(std::clamp<Index>(131072 / std::max<Index>(1, fitted.frame.size()), 64, 256)),
        few_rows_(workers.size()) {
    m_.resize(frame_.functions(), sizes.rows);
    workers.run((sizes.rows + block_ - 1) / block_, [&](Index number, int worker) {
      const Index first = number * block_, count = std::min(block_, sizes.rows - first);
      take(first, count, few_rows_[worker]);
      m_.middleCols(first, count) = means(few_rows_[worker]);
    });
    centre_ = m_.rowwise().mean();
  }

  bool finite() const { return m_.allFinite(); }

  Curve curve(const ColumnPoints& points, int worker) {
    const Vector p = points.shares(sample_.X, sizes_.rows);
    const Index m = frame_.m(), values = frame_.values();
    Matrix k = Matrix::Zero(m + values, points.count()), k_band;  // sums of k(v_g, x_i) and h over rows
    add_covariances(points, 0, sizes_.band, k, worker);
    k_band = k;
    for (Index first = sizes_.band; first < sizes_.curve; first += block_)
      add_covariances(points, first, std::min(block_, sizes_.curve - first), k, worker);
    k /= static_cast<double>(sizes_.curve);
    k_band /= static_cast<double>(sizes_.band);

    k.colwise() -= Vector(k * p);
    k_band.colwise() -= Vector(k_band * p);
    const Matrix e = whiten(k_band);
    Matrix De(e.rows(), e.cols());
    const Vector prior = centred_prior_variance(points, p, worker) +
                         Vector(e.bottomRows(values).colwise().squaredNorm().transpose());
    const Index functions = frame_.functions();
    Matrix mean(points.count(), functions), variance(points.count(), functions);
    for (Index c = 0; c < functions; ++c) {
      const double scale = frame_.scale(c);
      blas::multiply(fitted_.q[c].D, e.data(), e.cols(), De.data());
      const Vector explained = e.cwiseProduct(De).colwise().sum();
      mean.col(c) = scale * (k.topRows(m).transpose() * fitted_.q[c].alpha);
      if (values > 0) mean.col(c) += scale * (k.bottomRows(values).transpose() * fitted_.q[c].beta);
      variance.col(c) = scale * scale * (prior - explained).cwiseMax(0);
    }
    if (functions > 1) {
      const double C = static_cast<double>(functions);
      mean.colwise() -= Vector(mean.rowwise().mean());
      const Vector average_variance = variance.rowwise().sum() / (C * C);
      variance = ((1 - 2 / C) * variance).colwise() + average_variance;
    }
    return {std::move(mean), variance.cwiseSqrt()};
  }

  // m over rows whose column was drawn anew.
  struct Moved {
    double whole = 0;   // its variance
    double within = 0;  // the part of it that is due to the column, alone or with others
  };

  // Row i with the column of row i + shift, for several shifts.
  Moved moved(const ColumnPoints& points, int worker) {
    const Index n = sizes_.rows;
    FewRows& rows = few_rows_[worker];
    double squares = 0, changes = 0;
    Vector sum = Vector::Zero(frame_.functions());
    for (Index k = 1; k <= sizes_.permutations; ++k) {
      const Index shift = k * n / (sizes_.permutations + 1);
      for (Index first = 0; first < n; first += block_) {
        const Index count = std::min(block_, n - first);
        take(first, count, rows);
        for (Index i = 0; i < count; ++i)
          rows.X().row(i).segment(points.first(), points.features()) =
              sample_.X.row((first + i + shift) % n).segment(points.first(), points.features());
        const Matrix m = means(rows);
        const Matrix away = m.colwise() - centre_;
        changes += (m - m_.middleCols(first, count)).squaredNorm();
        squares += away.squaredNorm();
        sum += away.rowwise().sum();
      }
    }
    const double all = static_cast<double>(n * sizes_.permutations),
                 freedom = static_cast<double>(std::max<Index>(1, n - 1) * sizes_.permutations);
    return {(squares - sum.squaredNorm() / all) / freedom, changes / (2 * all)};
  }

  // Nothing of a function that is constant.
  Importance importance(const Moved& moved, const ColumnPoints& points, const Matrix& effect) const {
    const double main = variance_of_effect(points, effect), total = std::max(main, moved.within),
                 whole = std::max(total, moved.whole);
    if (!(whole > std::max(negligible_variance * frame_.placed->signal_variance(), no_variance))) return {};
    return {main / whole, total / whole};
  }

 private:
  double variance_of_effect(const ColumnPoints& points, const Matrix& effect) const {
    Matrix c(effect.cols(), sizes_.rows);
    for (Index k = 0; k < effect.cols(); ++k) {
      const Vector curve = effect.col(k);
      for (Index i = 0; i < sizes_.rows; ++i) c(k, i) = points.interpolate(curve, sample_.X, i);
    }
    return variance_of(c);
  }

  void take(Index first, Index count, FewRows& rows) const {
    rows.resize(count, frame_.d());
    rows.X() = sample_.X.middleRows(first, count);
  }

  // The mean of each latent function and row, without the prior mean; several functions minus their average.
  Matrix means(FewRows& rows) const {
    const Index functions = frame_.functions();
    const double* K = rows.covariance(*frame_.placed, frame_.m());
    Matrix out(functions, rows.n());
    Vector own(rows.n());
    for (Index c = 0; c < functions; ++c) {
      blas::transposed_times_vector(K, frame_.m(), rows.n(), fitted_.q[c].alpha.data(), own.data());
      if (const PlacedTerms* terms = frame_.terms())
        rows.entries(terms->terms(), 0, rows.n()).add_products(fitted_.q[c].beta.data(), own.data());
      out.row(c) = frame_.scale(c) * own;
    }
    if (functions > 1) out.rowwise() -= Eigen::RowVectorXd(out.colwise().mean());
    return out;
  }

  // Rows first .. first + count, once for each of these values of the column's features (one column each).
  void take_with_values(const ColumnPoints& points, Index first, Index count,
                        const Eigen::Ref<const Matrix>& values, FewRows& rows) const {
    rows.resize(count * values.cols(), frame_.d());
    for (Index g = 0; g < values.cols(); ++g) {
      rows.X().middleRows(g * count, count) = sample_.X.middleRows(first, count);
      rows.X().block(g * count, points.first(), count, points.features()).rowwise() =
          values.col(g).transpose();
    }
  }

  // k.col(g) += sum_i k(v_g, x_i) over these rows.
  void add_covariances(const ColumnPoints& points, Index first, Index count, Matrix& k, int worker) {
    FewRows& rows = few_rows_[worker];
    const Vector ones = Vector::Ones(count);
    const Index m = frame_.m(), together = std::max<Index>(1, block_ / count);
    for (Index g = 0; g < points.count(); g += together) {
      const Index values = std::min(together, points.count() - g);
      take_with_values(points, first, count, points.at().middleCols(g, values), rows);
      const double* K = rows.covariance(*frame_.placed, m);
      for (Index h = 0; h < values; ++h) {
        blas::add_times_vector(K + h * count * m, m, count, ones.data(), k.col(g + h).data());
        if (const PlacedTerms* terms = frame_.terms())
          rows.entries(terms->terms(), h * count, count).add_vector(ones.data(), k.col(g + h).data() + m);
      }
    }
  }

  // phi from sums of k and h.
  Matrix whiten(const Matrix& k) const {
    const Index m = frame_.m();
    Matrix e(k.rows(), k.cols()), v = k.topRows(m);
    blas::solve_lower(frame_.L, v.data(), v.cols());
    e.topRows(m) = v;
    if (const PlacedTerms* terms = frame_.terms()) {
      Matrix h = k.bottomRows(frame_.values()).transpose();
      terms->times_factor(h);
      e.bottomRows(frame_.values()) = h.transpose();
    }
    return e;
  }

  // The variance of c(v_g) under the prior, without terms.
  Vector centred_prior_variance(const ColumnPoints& points, const Vector& p, int worker) {
    const auto [differences, which_difference] = points.differences();
    const Vector S = averaged_prior(points, differences, worker);
    const Matrix A = which_difference.unaryExpr([&](int which) { return S[which]; });  // Cov(h(v_g), h(v_h))
    const Vector Ap = A * p;
    return (A.diagonal() - 2 * Ap).array() + p.dot(Ap);
  }

  // S at these differences.
  Vector averaged_prior(const ColumnPoints& points, const Matrix& differences, int worker) {
    FewRows& rows = few_rows_[worker];
    const Index band = sizes_.band, pairs = band * band, together = std::max<Index>(1, block_ / band);
    take_with_values(points, 0, band, Matrix::Zero(points.features(), 1), rows);
    const auto placed = frame_.kernel->place(frame_.prior.theta.data(), rows.X());
    Vector S(differences.cols());
    for (Index g = 0; g < S.size(); g += together) {
      const Index values = std::min(together, S.size() - g);
      take_with_values(points, 0, band, differences.middleCols(g, values), rows);
      const double* K = rows.covariance(*placed, band);
      for (Index h = 0; h < values; ++h)
        S[g + h] = Eigen::Map<const Vector>(K + h * pairs, pairs).sum() / static_cast<double>(pairs);
    }
    return S;
  }

  const Fitted& fitted_;
  const Frame& frame_;
  const RowSample& sample_;
  const ExplainSizes& sizes_;
  const Index block_;              // rows at a time: their covariances stay in cache
  std::vector<FewRows> few_rows_;  // per worker
  Matrix m_;                       // means() of the first sizes.rows rows of the sample
  Vector centre_;                  // their average over these rows
};

// The number of values or levels of a column that its effect is shown at; 0: a grid.
std::size_t own_values(const FeatureMap& map, Index column, const FeatureRange& range) {
  if (map.encoding.is_plain()) return range.few.size();
  const ColumnCode& code = map.encoding.codes()[column];
  const std::size_t values = !code.is_number         ? code.levels.size() + 1
                             : code.repeated.empty() ? range.few.size()
                                                     : code.repeated.size();
  return values == 0 ? 0 : values + (code.gaps ? 1 : 0);
}

// Do rows have a level without a feature of its own?
bool has_other_levels(const FeatureMap& map, Index column, const RowSample& sample) {
  return map.value_of(column) < 0 && (sample.X.col(map.encoding.other_of(column)).array() != 0).any();
}

bool is_finite(const Explanation& explanation) {
  const auto finite = [](double x) { return std::isfinite(x); };
  for (const Effect& effect : explanation.effects)
    for (const auto* column :
         {&effect.values, &effect.lower, &effect.upper, &effect.missing_lower, &effect.missing_upper})
      if (!std::all_of(column->begin(), column->end(), finite)) return false;
  return std::all_of(explanation.importance.begin(), explanation.importance.end(),
                     [&](const Importance& share) { return finite(share.main) && finite(share.total); });
}

}  // namespace

std::optional<Explanation> explain_fitted(const Fitted& fitted, const FeatureMap& map,
                                          const MemoryStore& rows, Workers& workers) {
  const blas::SingleThreadedBlas single;
  const blas::Buffers buffers(workers.size());
  const Index columns = map.columns();
  const RowSample sample = draw_rows(rows, map, workers);
  std::vector<FeatureRange> ranges(columns);
  workers.run(columns, [&](Index column, int /*worker*/) {
    if (const Index value = map.value_of(column); value >= 0)
      ranges[column] = range_of(rows, sample, column, value);
  });
  ExplainProblem problem{
      .n = rows.n(), .sample = sample.n(), .m = fitted.frame.size(), .d = fitted.frame.d()};
  problem.columns = columns;
  for (Index column = 0; column < columns; ++column) {
    const std::size_t own = own_values(map, column, ranges[column]);
    problem.few += own > 0;
    problem.few_values += static_cast<Index>(own);
  }
  const ExplainSizes sizes = explain_sizes(problem);

  Explainer explainer(fitted, sample, sizes, workers);
  if (!explainer.finite()) return std::nullopt;
  Explanation explanation{std::vector<Effect>(columns), std::vector<Importance>(columns)};
  workers.run(columns, [&](Index column, int worker) {
    ColumnPoints points(map, column, ranges[column], sizes.points, has_other_levels(map, column, sample));
    const Explainer::Moved moved = explainer.moved(points, worker);
    if (sizes.wide && moved.within < negligible_importance * moved.whole) points.thin();
    const Curve curve = explainer.curve(points, worker);
    const Matrix lower = curve.mean - half_width * curve.deviation,
                 upper = curve.mean + half_width * curve.deviation;
    const auto numbers = [&](const Matrix& of, bool missing) {
      const Matrix part = missing ? of.bottomRows(1) : of.topRows(static_cast<Index>(points.values().size()));
      return std::vector<double>(part.data(), part.data() + part.size());
    };
    Effect& effect = explanation.effects[column];
    effect = {static_cast<std::size_t>(column), points.values(), numbers(curve.mean, false),
              numbers(lower, false), numbers(upper, false)};
    if (points.has_missing()) {
      effect.missing_mean = numbers(curve.mean, true);
      effect.missing_lower = numbers(lower, true);
      effect.missing_upper = numbers(upper, true);
    }
    explanation.importance[column] = explainer.importance(moved, points, curve.mean);
  });
  if (!is_finite(explanation)) return std::nullopt;
  return explanation;
}

bool quick_to_explain(const Fitted& fitted, const MemoryStore& rows) {
  return !too_wide_to_explain({.n = rows.n(),
                               .sample = rows.n(),
                               .m = fitted.frame.size(),
                               .d = fitted.frame.d(),
                               .columns = rows.columns()});
}

}  // namespace induce::detail
