#include "fit/project_rows.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "optim/lbfgsb.hpp"
#include "rows/blocks.hpp"
#include "rows/sparse_rows.hpp"
#include "linalg/random.hpp"
#include "store/sparse_order.hpp"

namespace induce::detail {
namespace {

constexpr Index singular_vectors = 30, more_for_accuracy = 8;
constexpr int iterations = 6;
constexpr std::uint64_t folds = 5;
constexpr std::size_t most_scores = 20;                 // classes
constexpr std::array<double, 3> penalties{1, 10, 100};  // C
constexpr double sizes_differ = 10, in_smallest = 0.05;

using MustEnd = std::function<bool()>;

// The rows with weights, in an order that depends on their contents, with numbers instead of columns: only those in use.
struct Rows {
  std::vector<std::int32_t> column;  // in use, increasing
  SparseRows entries;                // scaled
  std::vector<double> scale;         // of each column in use
  Vector weight;
  std::vector<std::uint64_t> fold;
  std::vector<int> label;

  Index n() const { return weight.size(); }
  Index width() const { return static_cast<Index>(column.size()); }
  double product(Index i, const double* b) const {
    double sum = 0;
    for (std::int64_t k = entries.row_start[i]; k < entries.row_start[i + 1]; ++k)
      sum += entries.value[k] * b[entries.column[k]];
    return sum;
  }
};

// 1 for all unless the columns are of different sizes.
std::vector<double> scales_of(const SparseRows& rows) {
  std::vector<double> largest(rows.d, 0), ones(rows.d, 1);
  std::vector<std::size_t> entries(rows.d, 0), order(rows.d);
  for (std::size_t k = 0; k < rows.value.size(); ++k) {
    const auto f = static_cast<std::size_t>(rows.column[k]);
    largest[f] = std::max(largest[f], std::abs(rows.value[k]));
    ++entries[f];
  }
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return largest[a] < largest[b]; });
  const auto quantile = [&](double share) {
    double below = 0;
    for (const std::size_t f : order)
      if ((below += static_cast<double>(entries[f])) >= share * static_cast<double>(rows.value.size()))
        return largest[f];
    return largest[order.back()];
  };
  return quantile(1 - in_smallest) > sizes_differ * quantile(in_smallest) ? largest : ones;
}

Rows rows_of(const SparseView& table, std::span<const int> labels, std::span<const double> weights,
             bool may_scale, Workers& workers) {
  const MergedSparse merged = merge_sparse(table, labels, weights, workers);
  Rows rows;
  rows.weight = Eigen::Map<const Vector>(merged.weight.data(), static_cast<Index>(merged.weight.size()));
  rows.entries = take_rows(table, merged.rows);
  for (const std::size_t i : merged.rows) {
    rows.fold.push_back(hash_of_row(table, static_cast<Index>(i)) % folds);
    rows.label.push_back(labels[i]);
  }
  std::vector<std::int32_t>& column = rows.column = rows.entries.column;
  std::sort(column.begin(), column.end());
  column.erase(std::unique(column.begin(), column.end()), column.end());
  column.shrink_to_fit();
  for (std::int32_t& f : rows.entries.column)
    f = static_cast<std::int32_t>(std::lower_bound(column.begin(), column.end(), f) - column.begin());
  rows.entries.d = column.size();
  rows.scale = may_scale && !column.empty() ? scales_of(rows.entries) : std::vector<double>(column.size(), 1);
  for (std::size_t k = 0; k < rows.entries.value.size(); ++k)
    rows.entries.value[k] /= rows.scale[static_cast<std::size_t>(rows.entries.column[k])];
  return rows;
}

// X W, row by row.
RowMatrix times(const Rows& rows, const RowMatrix& W, Workers& workers) {
  RowMatrix B = RowMatrix::Zero(rows.n(), W.cols());
  for_each_block(Blocks::light(rows.n()), workers, [&](Index first, Index count, int /*worker*/) {
    for (Index i = first; i < first + count; ++i)
      for (std::int64_t k = rows.entries.row_start[i]; k < rows.entries.row_start[i + 1]; ++k)
        B.row(i) += rows.entries.value[k] * W.row(rows.entries.column[k]);
  });
  return B;
}

// X'D B, in the order of rows.
RowMatrix transposed_times(const Rows& rows, const RowMatrix& B) {
  RowMatrix W = RowMatrix::Zero(rows.width(), B.cols());
  for (Index i = 0; i < rows.n(); ++i)
    for (std::int64_t k = rows.entries.row_start[i]; k < rows.entries.row_start[i + 1]; ++k)
      W.row(rows.entries.column[k]) += rows.weight[i] * rows.entries.value[k] * B.row(i);
  return W;
}

RowMatrix orthonormal(const RowMatrix& W) {
  Eigen::HouseholderQR<Matrix> factor(W);
  return factor.householderQ() * Matrix::Identity(W.rows(), W.cols());
}

RowMatrix singular_directions(const Rows& rows, std::uint64_t seed, Workers& workers,
                              const MustEnd& must_end) {
  const Index wanted = std::min({singular_vectors, rows.n(), rows.width()}),
              tried = std::min({wanted + more_for_accuracy, rows.n(), rows.width()});
  Random random(seed);
  RowMatrix W(rows.width(), tried);
  for (Index k = 0; k < W.size(); ++k) W.data()[k] = random.normal();
  for (int k = 0; k < iterations && !(k > 0 && must_end()); ++k)
    W = orthonormal(transposed_times(rows, times(rows, W, workers)));
  const RowMatrix B = times(rows, W, workers);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(B.transpose() * rows.weight.asDiagonal() * B));
  return W * solver.eigenvectors().rowwise().reverse().leftCols(wanted);
}

struct Line {
  double a = 0;
  Vector b;
};

// A regression on the rows outside one fold, and its loss on those inside; y is 1 for the class and -1 for the others.
class Slopes {
 public:
  Slopes(const Rows& rows, int positive, std::uint64_t left_out, const MustEnd& must_end)
      : rows_(rows), left_out_(left_out), must_end_(must_end) {
    for (const int label : rows.label) y_.push_back(label == positive ? 1 : -1);
  }

  Line fit(double C, const Line& start) const {
    const Index d = rows_.width();
    const auto objective = [&](const Vector& x, Vector& gradient) {
      gradient.resize(d + 1);
      gradient.head(d) = -x.head(d) / C;
      gradient[d] = 0;
      double value = -x.head(d).squaredNorm() / (2 * C);
      for (Index i = 0; i < rows_.n(); ++i) {
        if (rows_.fold[i] == left_out_) continue;
        const double margin = y_[i] * (x[d] + rows_.product(i, x.data()));
        value -= rows_.weight[i] * loss_of(margin);
        const double slope = rows_.weight[i] * y_[i] / (1 + std::exp(margin));
        gradient[d] += slope;
        for (std::int64_t k = rows_.entries.row_start[i]; k < rows_.entries.row_start[i + 1]; ++k)
          gradient[rows_.entries.column[k]] += slope * rows_.entries.value[k];
      }
      return value;
    };
    Vector x = Vector::Zero(d + 1);
    if (start.b.size() == d) x << start.b, start.a;
    const Vector bound = Vector::Constant(d + 1, INFINITY);
    LbfgsbSettings settings;
    settings.max_iterations = 100;
    settings.max_evaluations = 200;
    settings.relative_reduction = 1e-6;
    settings.must_stop = must_end_;
    const Optimum found = maximize_lbfgsb(objective, x, -bound, bound, settings);
    return {found.x[d], found.x.head(d)};
  }

  double loss(const Line& line) const {
    double sum = 0;
    for (Index i = 0; i < rows_.n(); ++i)
      if (rows_.fold[i] == left_out_)
        sum += rows_.weight[i] * loss_of(y_[i] * (line.a + rows_.product(i, line.b.data())));
    return sum;
  }

 private:
  static double loss_of(double margin) {  // log(1 + exp(-margin))
    return std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
  }

  const Rows& rows_;
  std::uint64_t left_out_;
  const MustEnd& must_end_;
  std::vector<double> y_;
};

// One line for each fold, fitted to the others.
std::vector<Line> lines_of_class(const Rows& rows, int positive, double C, const MustEnd& must_end) {
  std::vector<Line> lines;
  for (std::uint64_t fold = 0; fold < folds; ++fold)
    lines.push_back(Slopes(rows, positive, fold, must_end).fit(C, lines.empty() ? Line() : lines.back()));
  return lines;
}

double best_penalty(const Rows& rows, const std::vector<int>& positives, const MustEnd& must_end) {
  double best = penalties[0], least = INFINITY;
  std::vector<Line> last(positives.size());
  for (const double C : penalties) {
    double loss = 0;
    for (std::size_t c = 0; c < positives.size(); ++c) {
      const Slopes slopes(rows, positives[c], 0, must_end);
      last[c] = slopes.fit(C, last[c]);
      loss += slopes.loss(last[c]);
    }
    if (loss >= least) break;
    least = loss;
    best = C;
  }
  return best;
}

}  // namespace

ProjectedRows project_rows(const SparseView& table, std::span<const int> labels, std::size_t classes,
                           std::span<const double> weights, bool may_scale, std::uint64_t seed,
                           Workers& workers, const MustEnd& must_end) {
  const Rows rows = rows_of(table, labels, weights, may_scale, workers);
  std::vector<int> positives;
  for (std::size_t c = classes == 2 ? 1 : 0; c < classes && classes <= most_scores; ++c)
    positives.push_back(static_cast<int>(c));
  const double C = best_penalty(rows, positives, must_end);

  auto projection = std::make_shared<Projection>();
  projection->width = table.d;
  projection->column = rows.column;
  const RowMatrix directions = singular_directions(rows, seed, workers, must_end);
  const Index q0 = directions.cols(), scores = static_cast<Index>(positives.size());
  RowMatrix& W = projection->W = RowMatrix::Zero(rows.width(), q0 + scores);
  W.leftCols(q0) = directions;
  std::array<Projection, folds> without;  // the slopes without each fold
  for (Projection& each : without) each = {table.d, rows.column, RowMatrix::Zero(rows.width(), scores)};
  for (Index c = 0; c < scores; ++c) {
    const std::vector<Line> lines = lines_of_class(rows, positives[static_cast<std::size_t>(c)], C, must_end);
    for (std::size_t fold = 0; fold < folds; ++fold) {
      without[fold].W.col(c) = lines[fold].b;
      W.col(q0 + c) += lines[fold].b / static_cast<double>(folds);
    }
  }
  const auto unscale = [&](RowMatrix& of) {
    for (Index f = 0; f < of.rows(); ++f) of.row(f) /= rows.scale[static_cast<std::size_t>(f)];
  };
  unscale(W);
  for (Projection& each : without) unscale(each.W);

  RowMatrix Z = projection->apply(table, workers);
  for_each_block(Blocks::light(Z.rows()), workers, [&](Index first, Index count, int /*worker*/) {
    for (Index i = first; i < first + count && scores > 0; ++i)
      if (weights.empty() || weights[static_cast<std::size_t>(i)] > 0)
        without[hash_of_row(table, i) % folds].apply(table, static_cast<std::size_t>(i),
                                                     Z.row(i).data() + q0);
  });
  return {projection, std::move(Z)};
}

}  // namespace induce::detail
