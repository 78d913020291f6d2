// What effects.hpp derives, for one column after the other: averages of the joint term, and its terms in closed form.
#pragma once

#include <vector>

#include <induce/explain.hpp>

#include "core/fitted.hpp"
#include "explain/points.hpp"
#include "explain/sample.hpp"
#include "explain/term_effects.hpp"
#include "term/term_rows.hpp"

namespace induce::detail {

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
  const TermRows& entries(const Terms& terms) {
    entries_.reserve(terms, n());
    entries_.load(terms, {0, n(), X_.cols(), X_.data()});
    return entries_;
  }

 private:
  RowMatrix X_;
  TermRows entries_;
  Vector workspace_, K_;
};

// The effect of a column at its points, and its mean at the rows of the sample: rows x functions.
struct ColumnEffect {
  Curve curve;
  Matrix at_rows;
};

class Explainer {
 public:
  // All must outlive this.
  Explainer(const Fitted& fitted, const RowSample& sample, const ExplainSizes& sizes, Workers& workers);

  bool finite() const { return m_.allFinite(); }
  const TermEffects& terms() const { return terms_; }

  ColumnEffect effect(Index column, const ColumnPoints& points, int worker);

  // m over rows whose column was drawn anew.
  struct Moved {
    double whole = 0;   // its variance
    double within = 0;  // the part of it that is due to the column, alone or with others
  };
  // Row i with the column of row i + shift, for several shifts.
  Moved moved(const ColumnPoints& points, int worker);

  // Nothing of a function that is constant.
  Importance importance(const Moved& moved, const Matrix& at_rows) const;
  // `columns`: the effect of each at the rows.
  std::vector<TermShare> shares(const std::vector<Matrix>& columns) const;

 private:
  // A block of e, from this entry of phi on.
  struct Part {
    Index at;
    Matrix e;
  };

  bool is_constant(double variance) const;
  void take(Index first, Index count, FewRows& rows) const;
  // The mean of each latent function and row, without the prior mean; several functions minus their average.
  Matrix means(FewRows& rows) const;
  // Rows first .. first + count, once for each of these values of the column's features (one column each).
  void take_with_values(const ColumnPoints& points, Index first, Index count,
                        const Eigen::Ref<const Matrix>& values, FewRows& rows) const;
  // k.col(g) += sum_i k(v_g, x_i) over these rows.
  void add_covariances(const ColumnPoints& points, Index first, Index count, Matrix& k, int worker);
  // C'omega of the blocks, and the squares of them, which are their prior variance.
  void add_terms(const std::vector<TermEffects::Block>& blocks, std::vector<Part>& parts,
                 Vector& prior) const;
  // e'D e of each point; all else of e is 0.
  static Vector explained(const std::vector<Part>& parts, const Matrix& D, Index points);
  // A piecewise linear function with these values at the points, one per column, at the rows.
  Matrix interpolated(const ColumnPoints& points, const Matrix& at_points) const;
  // The variance of c(v_g) under the prior, without terms.
  Vector centred_prior_variance(const ColumnPoints& points, const Vector& p, int worker);
  // S at these differences.
  Vector averaged_prior(const ColumnPoints& points, const Matrix& differences, int worker);

  const Fitted& fitted_;
  const Frame& frame_;
  const RowSample& sample_;
  const ExplainSizes& sizes_;
  const TermEffects terms_;
  const Index block_;              // rows at a time: their covariances stay in cache
  std::vector<FewRows> few_rows_;  // per worker
  Matrix m_;                       // means() of the first sizes.rows rows of the sample
  Vector centre_;                  // their average over these rows
};

}  // namespace induce::detail
