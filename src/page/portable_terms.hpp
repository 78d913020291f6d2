// The terms of a latent function as plain numbers that take little room.
//
// A row's variance has h'S h = sum_p h_p'S_pp h_p + 2 sum_(q < p) h_p'S_pq h_q (core/posterior.hpp), M^2/2 numbers. Two things
// make them few:
//   - h_p has entries in one cell of its grid only, so S_pp needs its entries at neighbours only: the bands of entry e,
//     S(e, e + o) for o = 0, 1 and, in a grid with rows of n, n - 1, n, n + 1;
//   - covariances of different terms are smooth along their grids. With U_p the eigenvectors of sum_(q != p) S_pq S_qp (and N_0'N_0),
//       h_p'S_pq h_q = c_p'N_pq c_q,     c_p = U_p'h_p,  N_pq = U_p'S_pq U_q,
//     N falls quickly along its rows and columns. Its entries are rounded to multiples of one `step`; coordinates that are all 0
//     are left out. |c_p| <= 1, so errors of S2 are about a step times the number of terms.
// The joint term is one more, with the coordinates c_0 = T k (portable.hpp) and N_0q = N_0 U_q: with D_vv = V diag(lambda) V' and
// T = Q'diag(lambda)^1/2 V'L^-1,  k'Y h = c_0'N_0 h for N_0 = Q'diag(lambda)^-1/2 V'L'Y.
#pragma once

#include <string>
#include <vector>

#include "core/posterior.hpp"

namespace induce::detail {

struct PackedTerms {
  double step = 1;                   // the unit of N
  std::string text{};                // bands and U, term after term, then N
  std::vector<double> units{};       // of the bands and of the columns of U
  std::vector<Index> coordinates{};  // of each term: so many columns of U
};

class PortableTerms {
 public:
  // `joint`: N_0, without rows if there is no joint term.
  PortableTerms(const Terms& terms, const Posterior& q, const Matrix& joint);

  // h'beta, and 2 k'Y h + h'S h. c_0 has the rows of `joint`.
  void add_to(const double* x, const Vector& c_0, double& mean, double& variance) const;

  const Vector& beta() const { return beta_; }
  // Also rounds all but beta to what a reader gets; the step is relative to the largest entry of N, or of a band.
  PackedTerms pack(double relative_step);

 private:
  Index at(Index p) const { return joint_ + terms_->at(p); }

  const Terms* terms_;
  Index joint_;  // coordinates
  Vector beta_;
  std::vector<Matrix> bands_;  // of each term: a column for each offset
  std::vector<Matrix> U_;      // of each term
  Matrix N_;  // of all coordinates, those of the joint term first; its blocks below the diagonal
};

// The offsets of bands.
std::vector<Index> band_offsets(const Term& term);

}  // namespace induce::detail
