// How surprising rows are to a model that has not learned them, and what follows.
//
// With p_i the predictive probabilities of row i, its loss -log p_i(y_i) has under the model itself
//   the mean H_i = -sum_c p_ic log p_ic and the variance V_i = sum_c p_ic (log p_ic)^2 - H_i^2,
// so z = sum_i (-log p_i(y_i) - H_i) / sqrt(sum_i V_i) is about standard normal if the model is right.
#pragma once

#include <string>
#include <vector>

#include <induce/update.hpp>

#include "core/fitted.hpp"
#include "likelihood/likelihood.hpp"
#include "machine/workers.hpp"
#include "model/learned.hpp"
#include "site/targets.hpp"

namespace induce::detail {

// likelihood.probabilities() for each row of X, in the model's units.
Vector probabilities_of(const Fitted& fitted, const Likelihood& likelihood, const RowMatrix& X,
                        Workers& workers);
// The share of the prior variance of each row that no inducing input explains (induce/doubt.hpp); 0 without inducing inputs.
Vector novelty_of_rows(const Frame& fitted, const RowMatrix& X, Workers& workers);

// A row is novel from here on.
constexpr double novel_from = 0.5;

class Surprise {
 public:
  Surprise(std::size_t columns, const Names& names, const ColumnMoments& moments);

  void add_rows(const Vector& p, const Vector& novelty, const Targets& targets);
  void add_columns(const double* row, double weight) { columns_.add(row, weight, moments_.mean); }
  // Fills in what was seen; `past`: rows of earlier updates, `fit`: of the fit.
  void report(double past, double fit, bool can_grow, UpdateReport& out) const;

 private:
  void report_columns(UpdateReport& out) const;

  const Names& names_;
  const ColumnMoments& moments_;
  ColumnSums columns_;
  double rows_ = 0, loss_ = 0, entropy_ = 0, variance_ = 0;
  double novel_ = 0, novel_loss_ = 0, novel_entropy_ = 0;
  std::vector<double> of_class_, expected_, class_variance_, class_loss_;
};

}  // namespace induce::detail
