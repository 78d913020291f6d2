// The posterior covariance of the latent functions between rows. Under q(f), in the letters of core/posterior.hpp,
//   Cov(g_i, g_j) = (k_ij - v_i'v_j) + phi_i'(I - D) phi_j = k_ij + eta_i'eta_j - phi_i'D phi_j,    phi = [v; eta],  eta = C'h.
// The first bracket, what u leaves open of the prior, is exact. If it counted on the diagonal only, equal rows far from all
// inducing inputs would be independent, and the label of one would say nothing about the other. The noise of a kernel is on the
// diagonal only, which is not needed here.
//
// A row may stand for several points, of which its function is the average: those that a row with new gaps may be
// (table/typical_values.hpp). Then k and phi are averages, too.
#pragma once

#include <memory>
#include <vector>

#include "core/fitted.hpp"

namespace induce::detail {

class JointCovariance {
 public:
  // `points`: in the model's units; first_point[i] to first_point[i + 1] - 1 are those of row i.
  JointCovariance(const Fitted& fitted, const RowMatrix& points, std::vector<Index> first_point);

  Index rows() const { return Phi_.cols(); }
  double novelty(Index row) const { return novelty_[row]; }  // induce/doubt.hpp
  // Of f at the row with f at all rows: rows x C, a column for each latent function.
  Matrix with(Index row);

 private:
  const Fitted& fitted_;
  const RowMatrix& points_;
  std::vector<Index> first_point_;
  Matrix Phi_;  // M x rows
  Vector novelty_;
  std::unique_ptr<PlacedKernel> at_points_;  // null: the kernel has terms only
  Vector workspace_;
  Matrix K_;  // points x points of one row
};

}  // namespace induce::detail
