#include "explain/effects.hpp"

#include <algorithm>
#include <cmath>

#include "explain/grid.hpp"
#include "linalg/blas.hpp"

namespace induce {
namespace {

constexpr double half_width = 1.959963985;     // of a 95 % band, in standard deviations
constexpr double negligible_variance = 1e-16;  // of m, relative to the signal variance

// In a wide table the curve of a feature with a smaller total importance has three points: it is flat.
constexpr double negligible_importance = 1e-3;

// Covariances of a few rows with the inputs of a placed kernel. One per worker.
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

 private:
  RowMatrix X_;
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

Index nearest(const Vector& sorted, double x) {
  const Index right = std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin();
  if (right == sorted.size() || (right > 0 && x - sorted[right - 1] < sorted[right] - x)) return right - 1;
  return right;
}

// The distances between points, increasing; those that differ by rounding only are one distance.
Vector different_distances(const Vector& at) {
  std::vector<double> all, different{0};
  for (Index g = 0; g < at.size(); ++g)
    for (Index h = 0; h < g; ++h) all.push_back(at[g] - at[h]);
  std::sort(all.begin(), all.end());
  for (const double distance : all)
    if (distance > different.back() + 1e-9 * all.back()) different.push_back(distance);
  return Eigen::Map<const Vector>(different.data(), static_cast<Index>(different.size()));
}

// The effect of one feature on its grid: one column for each latent function.
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
        block_(std::clamp<Index>(131072 / fitted.frame.m(), 64, 256)),
        few_rows_(workers.size()) {
    m_.resize(frame_.functions(), sizes.rows);
    workers.run((sizes.rows + block_ - 1) / block_, [&](Index number, int worker) {
      const Index first = number * block_, count = std::min(block_, sizes.rows - first);
      take(first, count, few_rows_[worker]);
      m_.middleCols(first, count) = means(few_rows_[worker]);
    });
    const double variance = variance_of(m_);
    varies_ = variance > negligible_variance * frame_.placed->signal_variance();
    variance_ = varies_ ? variance : 1;
  }

  bool finite() const { return m_.allFinite(); }

  Curve curve(Index f, const FeatureGrid& grid, int worker) {
    const Vector p = grid.shares(sample_.X.col(f).head(sizes_.rows));
    Matrix k = Matrix::Zero(frame_.m(), grid.points()), k_band;  // sums of k(v_g, x_i) over rows
    add_covariances(f, grid, 0, sizes_.band, k, worker);
    k_band = k;
    for (Index first = sizes_.band; first < sizes_.curve; first += block_)
      add_covariances(f, grid, first, std::min(block_, sizes_.curve - first), k, worker);
    k /= static_cast<double>(sizes_.curve);
    k_band /= static_cast<double>(sizes_.band);

    k.colwise() -= Vector(k * p);
    Matrix& e = k_band;
    e.colwise() -= Vector(k_band * p);
    blas::solve_lower(frame_.L, e.data(), e.cols());
    Matrix De(e.rows(), e.cols());
    const Vector prior = centred_prior_variance(f, grid, p, worker);
    const Index functions = frame_.functions();
    Matrix mean(grid.points(), functions), variance(grid.points(), functions);
    for (Index c = 0; c < functions; ++c) {
      const double scale = frame_.scale(c);
      blas::multiply(fitted_.q[c].D, e.data(), e.cols(), De.data());
      const Vector explained = e.cwiseProduct(De).colwise().sum();
      mean.col(c) = scale * (k.transpose() * fitted_.q[c].alpha);
      variance.col(c) = scale * scale * (prior - explained).cwiseMax(0);
    }
    if (functions > 1) {
      const double C = static_cast<double>(functions);
      mean.colwise() -= Vector(mean.rowwise().mean());
      const Vector of_average = variance.rowwise().sum() / (C * C);
      variance = ((1 - 2 / C) * variance).colwise() + of_average;
    }
    return {std::move(mean), variance.cwiseSqrt()};
  }

  double total(Index f, int worker) { return varies_ ? moved_variance(f, worker) / variance_ : 0; }

  double main(Index f, const FeatureGrid& grid, const Matrix& effect) const {
    if (!varies_) return 0;
    Matrix c(effect.cols(), sizes_.rows);
    for (Index k = 0; k < effect.cols(); ++k) {
      const Vector of_function = effect.col(k);
      for (Index i = 0; i < sizes_.rows; ++i) c(k, i) = grid.interpolate(of_function, sample_.X(i, f));
    }
    return variance_of(c) / variance_;
  }

 private:
  void take(Index first, Index count, FewRows& rows) const {
    rows.resize(count, frame_.d());
    rows.X() = sample_.X.middleRows(first, count);
  }

  // Of each latent function and row, without the prior mean; several functions minus their average.
  Matrix means(FewRows& rows) const {
    const Index functions = frame_.functions();
    const double* K = rows.covariance(*frame_.placed, frame_.m());
    Matrix out(functions, rows.n());
    Vector own(rows.n());
    for (Index c = 0; c < functions; ++c) {
      blas::transposed_times_vector(K, frame_.m(), rows.n(), fitted_.q[c].alpha.data(), own.data());
      out.row(c) = frame_.scale(c) * own;
    }
    if (functions > 1) out.rowwise() -= Eigen::RowVectorXd(out.colwise().mean());
    return out;
  }

  // Rows first .. first + count, once for each of these values of feature f.
  void take_with_values(Index f, Index first, Index count, const Eigen::Ref<const Vector>& values,
                        FewRows& rows) const {
    rows.resize(count * values.size(), frame_.d());
    for (Index g = 0; g < values.size(); ++g) {
      rows.X().middleRows(g * count, count) = sample_.X.middleRows(first, count);
      rows.X().col(f).segment(g * count, count).setConstant(values[g]);
    }
  }

  // k.col(g) += sum_i k(v_g, x_i) over these rows.
  void add_covariances(Index f, const FeatureGrid& grid, Index first, Index count, Matrix& k, int worker) {
    FewRows& rows = few_rows_[worker];
    const Vector ones = Vector::Ones(count);
    const Index m = frame_.m(), together = std::max<Index>(1, block_ / count);
    for (Index g = 0; g < grid.points(); g += together) {
      const Index values = std::min(together, grid.points() - g);
      take_with_values(f, first, count, grid.at().segment(g, values), rows);
      const double* K = rows.covariance(*frame_.placed, m);
      for (Index h = 0; h < values; ++h)
        blas::add_times_vector(K + h * count * m, m, count, ones.data(), k.col(g + h).data());
    }
  }

  // The variance of c(v_g) under the prior.
  Vector centred_prior_variance(Index f, const FeatureGrid& grid, const Vector& p, int worker) {
    const Index points = grid.points();
    const Vector differences = different_distances(grid.at());
    const Vector S = averaged_prior(f, differences, worker);
    Matrix A(points, points);  // Cov(h(v_g), h(v_h))
    for (Index g = 0; g < points; ++g)
      for (Index h = 0; h <= g; ++h) A(g, h) = A(h, g) = S[nearest(differences, grid.at()[g] - grid.at()[h])];
    const Vector Ap = A * p;
    return (A.diagonal() - 2 * Ap).array() + p.dot(Ap);
  }

  // S at these differences.
  Vector averaged_prior(Index f, const Vector& differences, int worker) {
    FewRows& rows = few_rows_[worker];
    const Index band = sizes_.band, pairs = band * band, together = std::max<Index>(1, block_ / band);
    take_with_values(f, 0, band, Vector::Zero(1), rows);
    const auto placed = frame_.kernel->place(frame_.prior.theta.data(), rows.X());
    Vector S(differences.size());
    for (Index g = 0; g < S.size(); g += together) {
      const Index values = std::min(together, S.size() - g);
      take_with_values(f, 0, band, differences.segment(g, values), rows);
      const double* K = rows.covariance(*placed, band);
      for (Index h = 0; h < values; ++h)
        S[g + h] = Eigen::Map<const Vector>(K + h * pairs, pairs).sum() / static_cast<double>(pairs);
    }
    return S;
  }

  // (1/2N) sum_i (m(x_i) - m(x_i with feature f of row i + shift))^2, averaged over shifts.
  double moved_variance(Index f, int worker) {
    const Index n = sizes_.rows;
    FewRows& rows = few_rows_[worker];
    double sum = 0;
    for (Index k = 1; k <= sizes_.permutations; ++k) {
      const Index shift = k * n / (sizes_.permutations + 1);
      for (Index first = 0; first < n; first += block_) {
        const Index count = std::min(block_, n - first);
        take(first, count, rows);
        for (Index i = 0; i < count; ++i) rows.X()(i, f) = sample_.X((first + i + shift) % n, f);
        const Matrix moved = means(rows);
        for (Index i = 0; i < count; ++i)
          for (Index c = 0; c < moved.rows(); ++c) {
            const double change = moved(c, i) - m_(c, first + i);
            sum += change * change;
          }
      }
    }
    return sum / (2 * static_cast<double>(n * sizes_.permutations));
  }

  const Fitted& fitted_;
  const Frame& frame_;
  const RowSample& sample_;
  const ExplainSizes& sizes_;
  const Index block_;              // rows at a time: their covariances stay in cache
  std::vector<FewRows> few_rows_;  // per worker
  Matrix m_;                       // means() of the first sizes.rows rows of the sample
  double variance_ = 1;            // of m_, over all functions
  bool varies_ = false;
};

// The grids in both units. Values that are equal in the user's units are one value.
struct Grids {
  std::vector<FeatureGrid> model;
  std::vector<std::vector<double>> user;

  // Keeps the ends and the middle.
  void thin(Index f) {
    const Vector at = model[f].at();
    const Index last = at.size() - 1;
    if (last < 3) return;
    model[f] = FeatureGrid(Vector{{at[0], at[last / 2], at[last]}});
    user[f] = {user[f][0], user[f][last / 2], user[f][last]};
  }
};

Grids make_grids(const std::vector<FeatureRange>& ranges, Index points, const FeatureMap& map) {
  const Index d = static_cast<Index>(ranges.size());
  RowMatrix table(points, d);  // one column per feature
  for (Index f = 0; f < d; ++f) table.col(f) = Vector::LinSpaced(points, ranges[f].low, ranges[f].high);
  const RowMatrix undone = map.undo(table);
  Grids grids;
  for (Index f = 0; f < d; ++f) {
    std::vector<double> at = ranges[f].few_at, values = ranges[f].few;
    if (values.empty())
      for (Index g = 0; g < points; ++g)
        if (g == 0 || (undone(g, f) > values.back() && table(g, f) > at.back())) {
          at.push_back(table(g, f));
          values.push_back(undone(g, f));
        }
    grids.model.emplace_back(Eigen::Map<const Vector>(at.data(), static_cast<Index>(at.size())));
    grids.user.push_back(std::move(values));
  }
  return grids;
}

bool is_finite(const Explanation& explanation) {
  const auto finite = [](double x) { return std::isfinite(x); };
  for (const Effect& effect : explanation.effects)
    for (const auto* column : {&effect.values, &effect.lower, &effect.upper})
      if (!std::all_of(column->begin(), column->end(), finite)) return false;
  return std::all_of(explanation.importance.begin(), explanation.importance.end(),
                     [&](const Importance& share) { return finite(share.main) && finite(share.total); });
}

}  // namespace

std::optional<Explanation> explain_fitted(const Fitted& fitted, const FeatureMap& map,
                                          const WeightedRows& rows, Workers& workers) {
  const blas::SingleThreadedBlas single;
  const blas::Buffers buffers(workers.size());
  const Index d = fitted.frame.d();
  const RowSample sample = draw_rows(rows, map, workers);
  std::vector<FeatureRange> ranges(d);
  workers.run(d, [&](Index f, int /*worker*/) { ranges[f] = range_of(rows, sample, f); });
  ExplainProblem problem{.n = rows.n(), .sample = sample.n(), .m = fitted.frame.m(), .d = d};
  for (const FeatureRange& range : ranges) {
    problem.few += !range.few.empty();
    problem.few_values += static_cast<Index>(range.few.size());
  }
  const ExplainSizes sizes = explain_sizes(problem);
  Grids grids = make_grids(ranges, sizes.points, map);

  Explainer explainer(fitted, sample, sizes, workers);
  if (!explainer.finite()) return std::nullopt;
  Explanation explanation{std::vector<Effect>(d), std::vector<Importance>(d)};
  workers.run(d, [&](Index f, int worker) {
    const double total = explainer.total(f, worker);
    if (sizes.wide && total < negligible_importance) grids.thin(f);
    const FeatureGrid& grid = grids.model[f];
    const Curve curve = explainer.curve(f, grid, worker);
    const Matrix lower = curve.mean - half_width * curve.deviation,
                 upper = curve.mean + half_width * curve.deviation;
    const auto numbers = [](const Matrix& of) {
      return std::vector<double>(of.data(), of.data() + of.size());
    };
    explanation.effects[f] = {static_cast<std::size_t>(f), std::move(grids.user[f]), numbers(curve.mean),
                              numbers(lower), numbers(upper)};
    const double main = explainer.main(f, grid, curve.mean);
    explanation.importance[f] = {main, std::max(main, total)};
  });
  if (!is_finite(explanation)) return std::nullopt;
  return explanation;
}

bool quick_to_explain(const Fitted& fitted, const WeightedRows& rows) {
  return !too_wide_to_explain(
      {.n = rows.n(), .sample = rows.n(), .m = fitted.frame.m(), .d = fitted.frame.d()});
}

}  // namespace induce
