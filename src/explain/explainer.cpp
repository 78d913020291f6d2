#include "explain/explainer.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace induce::detail {
namespace {

constexpr double negligible_variance = 1e-16;  // of m, relative to the signal variance
// The variance of a constant latent function: no probability changes by more than a few ten thousandths. Base rates have less.
constexpr double no_variance = 1e-6;

// The sum of the variances of the columns of x.
double variance_of(const Matrix& x) {
  if (x.rows() < 2) return 0;
  return (x.rowwise() - x.colwise().mean()).squaredNorm() / static_cast<double>(x.rows() - 1);
}

}  // namespace

Explainer::Explainer(const Fitted& fitted, const RowSample& sample, const ExplainSizes& sizes,
                     Workers& workers)
    : fitted_(fitted),
      frame_(fitted.frame),
      sample_(sample),
      sizes_(sizes),
      terms_(fitted, sample.X),
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

ColumnEffect Explainer::effect(Index column, const ColumnPoints& points, int worker) {
  const Index m = frame_.m(), functions = frame_.functions();
  Matrix mean = Matrix::Zero(points.count(), functions), variance = mean;
  std::vector<Part> parts;
  Vector prior = Vector::Zero(points.count());
  if (m > 0) {
    const Vector p = points.shares(sample_.X, sizes_.rows);
    Matrix k = Matrix::Zero(m, points.count());  // sums of k(v_g, x_i) over rows
    add_covariances(points, 0, sizes_.band, k, worker);
    Matrix e = k / static_cast<double>(sizes_.band);
    for (Index first = sizes_.band; first < sizes_.curve; first += block_)
      add_covariances(points, first, std::min(block_, sizes_.curve - first), k, worker);
    k /= static_cast<double>(sizes_.curve);
    k.colwise() -= Vector(k * p);
    e.colwise() -= Vector(e * p);
    blas::solve_lower(frame_.L, e.data(), e.cols());
    prior = centred_prior_variance(points, p, worker);
    parts.push_back({0, std::move(e)});
    for (Index c = 0; c < functions; ++c)
      mean.col(c) = frame_.scale(c) * (k.transpose() * fitted_.q[c].alpha);
  }
  Matrix at_rows = interpolated(points, mean);
  if (frame_.terms()) {
    const auto blocks = terms_.column(column, points.rows(frame_.d()));
    add_terms(blocks, parts, prior);
    mean += terms_.mean(blocks, points.count());
    at_rows += terms_.mean(terms_.column(column, sample_.X.topRows(sizes_.rows)), sizes_.rows);
  }
  subtract_average(at_rows);
  for (Index c = 0; c < functions; ++c)
    variance.col(c) =
        std::pow(frame_.scale(c), 2) * (prior - explained(parts, fitted_.q[c].D, points.count()));
  return {curve_of(std::move(mean), std::move(variance)), std::move(at_rows)};
}

Explainer::Moved Explainer::moved(const ColumnPoints& points, int worker) {
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

Importance Explainer::importance(const Moved& moved, const Matrix& at_rows) const {
  const double main = variance_of(at_rows), total = std::max(main, moved.within),
               whole = std::max(total, moved.whole);
  if (is_constant(whole)) return {};
  return {main / whole, total / whole};
}

std::vector<TermShare> Explainer::shares(const std::vector<Matrix>& columns) const {
  std::vector<TermShare> out;
  Matrix rest = m_.transpose();
  double whole = 0;
  const auto add = [&](std::vector<std::size_t> features, const Matrix& effect) {
    out.push_back({std::move(features), variance_of(effect)});
    whole += out.back().share;
    rest -= effect;
  };
  for (std::size_t column = 0; column < columns.size(); ++column) add({column}, columns[column]);
  for (const Index p : terms_.pairs()) {
    const std::vector<Index>& pair = frame_.terms()->terms()[p].columns;
    add({pair.begin(), pair.end()}, terms_.pair_mean(p, sample_.X.topRows(sizes_.rows)));
  }
  if (frame_.m() > 0) add({}, Matrix(rest));
  for (TermShare& term : out) term.share = is_constant(whole) ? 0 : term.share / whole;
  return out;
}

bool Explainer::is_constant(double variance) const {
  return !(variance > std::max(negligible_variance * frame_.placed->signal_variance(), no_variance));
}

Matrix Explainer::interpolated(const ColumnPoints& points, const Matrix& at_points) const {
  Matrix out(sizes_.rows, at_points.cols());
  for (Index c = 0; c < out.cols(); ++c) {
    const Vector curve = at_points.col(c);
    for (Index i = 0; i < sizes_.rows; ++i) out(i, c) = points.interpolate(curve, sample_.X, i);
  }
  return out;
}

void Explainer::add_terms(const std::vector<TermEffects::Block>& blocks, std::vector<Part>& parts,
                          Vector& prior) const {
  const Terms& terms = frame_.terms()->terms();
  Matrix all = Matrix::Zero(prior.size(), terms.values());
  for (const auto& [p, omega] : blocks) all.middleCols(terms.at(p), omega.rows()) = omega.transpose();
  frame_.terms()->times_factor(all);
  prior += all.rowwise().squaredNorm();
  for (const auto& [p, omega] : blocks)
    parts.push_back({frame_.m() + terms.at(p), all.middleCols(terms.at(p), omega.rows()).transpose()});
}

Vector Explainer::explained(const std::vector<Part>& parts, const Matrix& D, Index points) {
  Index size = 0;
  for (const Part& part : parts) size += part.e.rows();
  Matrix e(size, points), De(size, points), own(size, size);  // own: the part of D for these entries
  Index row = 0;
  for (const Part& part : parts) {
    e.middleRows(row, part.e.rows()) = part.e;
    Index column = 0;
    for (const Part& other : parts) {
      own.block(row, column, part.e.rows(), other.e.rows()) =
          D.block(part.at, other.at, part.e.rows(), other.e.rows());
      column += other.e.rows();
    }
    row += part.e.rows();
  }
  if (size == 0) return Vector::Zero(points);
  blas::multiply(own, e.data(), points, De.data());
  return e.cwiseProduct(De).colwise().sum();
}

void Explainer::take(Index first, Index count, FewRows& rows) const {
  rows.resize(count, frame_.d());
  rows.X() = sample_.X.middleRows(first, count);
}

Matrix Explainer::means(FewRows& rows) const {
  const Index functions = frame_.functions();
  const double* K = rows.covariance(*frame_.placed, frame_.m());
  Matrix out(functions, rows.n());
  Vector own(rows.n());
  for (Index c = 0; c < functions; ++c) {
    blas::transposed_times_vector(K, frame_.m(), rows.n(), fitted_.q[c].alpha.data(), own.data());
    if (const PlacedTerms* terms = frame_.terms())
      rows.entries(terms->terms()).add_products(0, rows.n(), fitted_.q[c].beta.data(), own.data());
    out.row(c) = frame_.scale(c) * own;
  }
  if (functions > 1) out.rowwise() -= Eigen::RowVectorXd(out.colwise().mean());
  return out;
}

void Explainer::take_with_values(const ColumnPoints& points, Index first, Index count,
                                 const Eigen::Ref<const Matrix>& values, FewRows& rows) const {
  rows.resize(count * values.cols(), frame_.d());
  for (Index g = 0; g < values.cols(); ++g) {
    rows.X().middleRows(g * count, count) = sample_.X.middleRows(first, count);
    rows.X().block(g * count, points.first(), count, points.features()).rowwise() = values.col(g).transpose();
  }
}

void Explainer::add_covariances(const ColumnPoints& points, Index first, Index count, Matrix& k, int worker) {
  FewRows& rows = few_rows_[worker];
  const Vector ones = Vector::Ones(count);
  const Index m = frame_.m(), together = std::max<Index>(1, block_ / count);
  for (Index g = 0; g < points.count(); g += together) {
    const Index values = std::min(together, points.count() - g);
    take_with_values(points, first, count, points.at().middleCols(g, values), rows);
    const double* K = rows.covariance(*frame_.placed, m);
    for (Index h = 0; h < values; ++h)
      blas::add_times_vector(K + h * count * m, m, count, ones.data(), k.col(g + h).data());
  }
}

Vector Explainer::centred_prior_variance(const ColumnPoints& points, const Vector& p, int worker) {
  const auto [differences, which_difference] = points.differences();
  const Vector S = averaged_prior(points, differences, worker);
  const Matrix A = which_difference.unaryExpr([&](int which) { return S[which]; });  // Cov(h(v_g), h(v_h))
  const Vector Ap = A * p;
  return (A.diagonal() - 2 * Ap).array() + p.dot(Ap);
}

Vector Explainer::averaged_prior(const ColumnPoints& points, const Matrix& differences, int worker) {
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

}  // namespace induce::detail
